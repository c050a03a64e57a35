// Browsers refuse workers to pages that are read from a folder. There the search's worker is a script in a hidden frame
// instead, with the messages and importScripts() that a worker has.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const base = new URL(url, location.href)
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      this.scope = frame.contentWindow
      this.scope.postMessage = data => {
        const event = new MessageEvent("message", { data })
        this.dispatchEvent(event)
        this.onmessage?.(event)
      }
      const load = source => new Promise((resolve, reject) => {
        const script = this.scope.document.createElement("script")
        Object.assign(script, { src: new URL(source, base), onload: resolve, onerror: reject })
        this.scope.document.body.append(script)
      })
      this.scope.importScripts = (...sources) =>
        sources.reduce((done, source) => done.then(() => load(source)), Promise.resolve())
      this.ready = load(base)
    }
    postMessage(data) {
      this.ready.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {
      this.scope.frameElement.remove()
    }
  }
