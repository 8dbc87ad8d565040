import { findInterrupted, isSmall, send } from './send-file.js'

/** @typedef {'waiting' | 'sending' | 'paused' | 'processing' | 'done' | 'failed'} State */

/** Shows the uploads of this browser, and sends one file at a time. */
export class UploadList {
  /** @type {Promise<unknown>} */
  turn = Promise.resolve()
  /** @type {WeakMap<HTMLElement, File>} */
  files = new WeakMap()
  /** @type {WeakMap<HTMLElement, import('./send-file.js').Sending>} */
  sending = new WeakMap()
  /** @type {WeakMap<HTMLElement, () => void>} */
  forgets = new WeakMap()

  /** @param {HTMLElement} section @param {{ brandId: string, changed(): void, choose(): void }} options */
  constructor(section, options) {
    this.section = section
    this.options = options
    section.addEventListener('click', (event) => this.clicked(event))
    void this.showInterrupted()
  }

  get items() {
    return [...this.section.querySelectorAll('ul > li')].filter((item) => item instanceof HTMLElement)
  }

  /** Whether leaving the page would interrupt an upload. */
  get isBusy() {
    return this.items.some(({ dataset }) => dataset.state === 'sending' || dataset.state === 'waiting')
  }

  async showInterrupted() {
    const found = await findInterrupted(this.options.brandId).catch(() => [])
    for (const { name, size, sent, forget } of found) {
      const item = this.make(name, size)
      if (!item) return
      this.forgets.set(item, forget)
      this.show(item, 'paused', 'Choose the file again to continue. The uploaded part is kept for 24 hours.')
      this.progress(item, sent)
    }
  }

  /** @param {File[]} files */
  add(files) {
    for (const file of files) {
      const before = this.items.find(
        ({ dataset }) =>
          dataset.state === 'paused' && dataset.name === file.name && dataset.bytes === String(file.size),
      )
      const item = before ?? this.make(file.name, file.size)
      if (!item) return
      this.files.set(item, file)
      this.queue(item, file)
    }
  }

  /** @param {string} name @param {number} bytes */
  make(name, bytes) {
    const template = this.section.querySelector('template')
    const item = template && document.importNode(template.content, true).querySelector('li')
    if (!item) return null
    Object.assign(item.dataset, { name, bytes: String(bytes) })
    const parts = { '[data-name]': name, '[data-size]': sizeText(bytes) }
    for (const [selector, text] of Object.entries(parts)) {
      const part = item.querySelector(selector)
      if (part) part.textContent = text
    }
    item.querySelector('progress')?.setAttribute('aria-label', name)
    for (const button of item.querySelectorAll('button'))
      button.ariaLabel = `${button.textContent.trim() || 'Remove'} ${name}`
    this.section.querySelector('ul')?.append(item)
    this.section.hidden = false
    return item
  }

  /** @param {HTMLElement} item @param {File} file */
  queue(item, file) {
    this.show(item, 'waiting', 'Waiting')
    this.turn = this.turn.then(() => this.send(item, file)).catch(() => {})
  }

  /** Until the file is sent, paused or refused. @param {HTMLElement} item @param {File} file */
  async send(item, file) {
    if (!item.isConnected || item.dataset.state !== 'waiting') return
    const { promise, resolve } = Promise.withResolvers()
    const small = isSmall(file)
    this.show(item, 'sending', 'Uploading')
    item.querySelector('[data-pause]')?.toggleAttribute('hidden', small)
    const reports = {
      progress: (/** @type {number} */ sent) => this.progress(item, sent),
      processing: () => {
        this.show(item, 'processing', 'Checking the file')
        resolve(undefined)
      },
      done: () => {
        this.show(item, 'done', 'Uploaded')
        this.options.changed()
        resolve(undefined)
      },
      failed: (/** @type {string} */ reason, /** @type {{ canRetry: boolean }} */ { canRetry }) => {
        this.show(item, 'failed', reason)
        item.querySelector('[data-retry]')?.toggleAttribute('hidden', !canRetry)
        resolve(undefined)
      },
      interrupted: () => {
        this.show(item, 'paused', 'Paused. The uploaded part is kept for 24 hours.')
        resolve(undefined)
      },
    }
    const { brandId } = this.options
    try {
      this.sending.set(item, await send(brandId, file, reports))
    } catch {
      const reason = 'The uploader for large files couldn’t be loaded. Check your connection, then retry.'
      reports.failed(reason, { canRetry: true })
    }
    await promise
  }

  /** @param {HTMLElement} item @param {number} sent from 0 to 1 */
  progress(item, sent) {
    const bar = item.querySelector('progress')
    if (bar) bar.value = sent
    const size = item.querySelector('[data-size]')
    const bytes = Number(item.dataset.bytes)
    if (size) size.textContent = sent < 1 ? `${sizeText(bytes * sent)} of ${sizeText(bytes)}` : sizeText(bytes)
  }

  /** @param {HTMLElement} item @param {State} state @param {string} note */
  show(item, state, note) {
    item.dataset.state = state
    const place = item.querySelector('[data-note]')
    if (place) place.textContent = note
    item.querySelector('progress')?.toggleAttribute('hidden', state === 'done' || state === 'failed')
    for (const name of ['pause', 'resume', 'retry'])
      item.querySelector(`[data-${name}]`)?.toggleAttribute('hidden', name !== 'resume' || state !== 'paused')
    if (state === 'done' || state === 'failed') this.say(`${item.dataset.name}: ${note}`)
    const busy = this.items.filter(({ dataset }) => dataset.state !== 'done' && dataset.state !== 'failed').length
    const title = this.section.querySelector('[data-title]')
    if (title) title.textContent = busy > 0 ? `Uploading ${busy} ${busy === 1 ? 'file' : 'files'}` : 'Uploads'
    this.section.hidden = this.items.length === 0
  }

  /** @param {Event} event */
  clicked({ target }) {
    if (!(target instanceof Element)) return
    if (target.closest('[data-clear-finished]'))
      for (const item of this.items) if (['done', 'failed'].includes(item.dataset.state ?? '')) item.remove()
    const item = target.closest('li')
    const file = item && this.files.get(item)
    if (item && target.closest('[data-pause]')) this.sending.get(item)?.pause()
    if (item && target.closest('[data-resume]')) {
      if (file) this.queue(item, file)
      else this.options.choose()
    }
    if (item && file && target.closest('[data-retry]')) this.queue(item, file)
    if (item && target.closest('[data-remove]')) this.remove(item)
    this.section.hidden = this.items.length === 0
  }

  /** @param {HTMLElement} item */
  remove(item) {
    if (item.dataset.state !== 'done') this.sending.get(item)?.cancel()
    this.forgets.get(item)?.()
    const next = item.nextElementSibling?.querySelector('[data-remove]')
    item.remove()
    if (next instanceof HTMLElement) next.focus()
  }

  /** @param {string} words */
  say(words) {
    const news = this.section.querySelector('[data-news]')
    if (news) news.textContent = words
  }
}

/** Such as `412 MB`. @param {number} bytes */
function sizeText(bytes) {
  if (bytes < 1000) return `${Math.round(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 1), 4)
  const amount = bytes / 1000 ** power
  const unit = ['KB', 'MB', 'GB', 'TB'][power - 1]
  return `${amount.toLocaleString('en', { maximumFractionDigits: amount < 10 ? 1 : 0 })} ${unit}`
}
