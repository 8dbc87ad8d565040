import { isPlainClick } from '../lib/plain-click.js'
import { UploadList } from '../lib/upload-list.js'

const tileSelector = '#files > .asset'

/** The media library: its uploads, its selection, its keys, and which file is opened. */
class MediaLibrary extends HTMLElement {
  /** @type {UploadList | null} */
  uploads = null

  connectedCallback() {
    const { brand = '' } = this.dataset
    const section = this.querySelector('#uploads')
    if (section instanceof HTMLElement)
      this.uploads = new UploadList(section, {
        brandId: brand,
        changed: () => this.reload(),
        choose: () => this.choose(),
      })
    this.listening = new AbortController()
    const { signal } = this.listening
    this.addEventListener('change', (event) => this.chosen(event), { signal })
    this.addEventListener('click', (event) => this.clicked(event), { signal })
    document.addEventListener('paste', (event) => this.pasted(event), { signal })
    for (const type of ['dragover', 'dragleave', 'drop'])
      document.addEventListener(type, (event) => this.dragged(event), { signal })
    document.addEventListener('keydown', (event) => this.pressed(event), { signal })
    document.addEventListener('htmx:after:swap', (event) => this.swapped(event), { signal })
    document.addEventListener('htmx:after:request', (event) => this.requested(event), { signal })
    addEventListener('beforeunload', (event) => this.uploads?.isBusy && event.preventDefault(), { signal })
  }

  disconnectedCallback() {
    this.listening?.abort()
  }

  get boxes() {
    return [...this.querySelectorAll('#files input[name="ids"]')].filter((box) => box instanceof HTMLInputElement)
  }

  choose() {
    const input = this.querySelector('#chosen-files')
    if (input instanceof HTMLElement) input.click()
  }

  reload() {
    this.querySelector('#library')?.dispatchEvent(new Event('changed'))
  }

  /** @param {Event} event */
  chosen({ target }) {
    if (!(target instanceof HTMLInputElement)) return
    if (target.name === 'ids') this.update()
    if (target.id !== 'chosen-files') return
    this.uploads?.add([...(target.files ?? [])])
    target.value = ''
  }

  /** @param {Event} event */
  clicked(event) {
    const { target } = event
    if (!(target instanceof Element)) return
    const link = target.closest('a[data-generate]')
    if (link instanceof HTMLAnchorElement && isPlainClick(event)) {
      event.preventDefault()
      // The page does the same.
      this.openGenerator().catch(() => location.assign(link.href))
    }
    if (target.closest('[data-choose]')) this.choose()
    if (!target.closest('#selection [data-clear]')) return
    this.clear()
    this.focusTile(0)
  }

  async openGenerator() {
    const { openGenerateDialog } = await import('../lib/generate-dialog.js')
    await openGenerateDialog({ generated: () => this.reload() })
  }

  /** @param {Event} event */
  pasted(event) {
    const files = event instanceof ClipboardEvent ? [...(event.clipboardData?.files ?? [])] : []
    if (files.length === 0 || !this.uploads) return
    event.preventDefault()
    this.uploads.add(files)
  }

  /** @param {Event} event */
  dragged(event) {
    if (!(event instanceof DragEvent) || !event.dataTransfer?.types.includes('Files') || !this.uploads) return
    event.preventDefault()
    this.querySelector('.drop-hint')?.toggleAttribute('hidden', event.type !== 'dragover')
    if (event.type === 'drop') this.uploads.add([...event.dataTransfer.files])
  }

  /** Shows how many files are selected. */
  update() {
    const count = this.boxes.filter((box) => box.checked).length
    const bar = this.querySelector('#selection')
    bar?.toggleAttribute('hidden', count === 0)
    const place = bar?.querySelector('[data-count]')
    if (place && place.textContent !== String(count)) place.textContent = String(count)
  }

  clear() {
    for (const box of this.boxes) box.checked = false
    this.update()
  }

  /** @param {Event} event */
  swapped(event) {
    this.update()
    const opened = this.querySelector('#opened')
    const id = opened instanceof HTMLElement ? opened.dataset.file : undefined
    this.querySelector('#files')?.parentElement?.closest('.page')?.classList.toggle('split', Boolean(id))
    for (const link of this.querySelectorAll(`${tileSelector} > a`)) {
      if (id && link.parentElement?.id === `file-${id}`) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
    if (!(event instanceof CustomEvent)) return
    const source = event.detail.ctx?.sourceElement
    if (!(source instanceof Element)) return
    if (source.matches(`${tileSelector} > a`)) focus(this.querySelector('#opened-name'))
    if (source.closest('.opened') && !id) focus(this.querySelector('h1'))
  }

  /** @param {Event} event */
  requested(event) {
    if (!(event instanceof CustomEvent)) return
    const { sourceElement, response } = event.detail.ctx
    if (!sourceElement.matches('[data-bulk]') || !(response?.status < 400)) return
    this.clear()
    this.reload()
    this.focusTile(0)
  }

  /** Focuses the file `step` after the current one; the first one when there is none. @param {number} step */
  focusTile(step) {
    const links = [...this.querySelectorAll(`${tileSelector} > a`)]
    const at = links.findIndex((link) => link.parentElement?.contains(document.activeElement))
    const next = links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)]
    focus(next)
    next?.scrollIntoView({ block: 'nearest' })
  }

  /** The number of tiles in a row. */
  get columns() {
    const list = this.querySelector('#files')
    return list ? getComputedStyle(list).gridTemplateColumns.split(' ').length : 1
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event
    if (defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof Element)) return
    const tile = target.closest(tileSelector)
    if (!tile || document.querySelector('dialog[open]')) return
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns }
    const step = steps[key] ?? 0
    const box = tile.querySelector('input[name="ids"]')
    if (step === 0 && !(key === 'x' && box instanceof HTMLInputElement)) return
    event.preventDefault()
    if (step !== 0) this.focusTile(step)
    else if (box instanceof HTMLInputElement) box.click()
  }
}

/** @param {Element | null | undefined} element */
function focus(element) {
  if (element instanceof HTMLElement) element.focus()
}

customElements.define('media-library', MediaLibrary)
