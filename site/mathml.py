"""Formulas as MathML, which browsers show without scripts or a network."""

import html
import re

from latex2mathml.converter import convert

FORMULA = re.compile(r'<(span|div) class="arithmatex">(.*?)</\1>', re.DOTALL)


def mathml(match):
    text = html.unescape(match[2]).strip()
    formula = convert(text[2:-2].strip(), display="block" if match[1] == "div" else "inline")
    if "<mi>&</mi>" in formula or "<mi>\\" in formula:
        raise ValueError(f"a part is not understood: {text}")
    return formula


def on_page_content(content, page, **_):
    try:
        return FORMULA.sub(mathml, content)
    except Exception as e:
        raise ValueError(f"{page.file.src_path}: a formula cannot be converted: {e}") from e
