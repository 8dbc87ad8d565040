import { factsOf, readJson } from './media-tile.js'

/** @typedef {{ id: string, name: string, alt: string }} ChosenFile */
/**
 * @typedef {ChosenFile & {
 *   kind: string, status: string, failure: string | null, durationMs: number | null, renditions: { thumb?: object }
 * }} LibraryFile
 */

/** In place of a preview. @type {Record<string, string>} */
const blanks = { image: 'No preview', video: 'Video', document: 'PDF' }
const pageSize = 30
const searchAfterMs = 300

/** The dialog of the composer in which a person chooses files of the library. */
export class LibraryDialog {
  /** The order in which the person chose. @type {Map<string, ChosenFile>} */
  chosen = new Map()
  /** @type {string | null} */
  cursor = null
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  typing = undefined
  /** Of the request whose response is shown. */
  turn = 0

  /** @param {HTMLDialogElement} dialog @param {{ brandId: string, add(files: ChosenFile[]): void }} options */
  constructor(dialog, options) {
    this.dialog = dialog
    this.options = options
    dialog.addEventListener('input', ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.type !== 'search') return
      clearTimeout(this.typing)
      this.typing = setTimeout(() => void this.load(), searchAfterMs)
    })
    // The dialog is in the composer's form, which Enter in a field would submit.
    dialog.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
    })
    dialog.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === 'checkbox') this.choose(target)
    })
    dialog.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element)) return
      const more = target.closest('[data-more]')
      if (more) void this.load({ isMore: more.getAttribute('data-more') !== 'first' })
      if (target.closest('[data-add-chosen]')) this.finish()
    })
  }

  open() {
    this.chosen.clear()
    const search = this.dialog.querySelector('[type="search"]')
    if (search instanceof HTMLInputElement) search.value = ''
    this.dialog.showModal()
    void this.load()
  }

  /** @param {{ isMore?: boolean }} [options] */
  async load({ isMore = false } = {}) {
    const turn = (this.turn += 1)
    const search = this.dialog.querySelector('[type="search"]')
    const q = search instanceof HTMLInputElement ? search.value.trim() : ''
    const query = new URLSearchParams({ brandId: this.options.brandId, limit: String(pageSize), q })
    if (isMore && this.cursor) query.set('cursor', this.cursor)
    const list = this.dialog.querySelector('ul')
    if (!isMore) list?.replaceChildren()
    this.say('Loading…')
    const { body } = await readJson(`/api/media?${query}`)
    if (turn !== this.turn) return
    const page = body?.items ? body : null
    if (page) this.cursor = page.nextCursor
    list?.append(...(page?.items ?? []).map((/** @type {LibraryFile} */ file) => this.tileOf(file)))
    this.showMore({ isMore, failed: !page })
    const count = list?.children.length ?? 0
    this.say(page ? (count > 0 ? '' : 'No files found.') : 'The library can’t be loaded.')
    this.update()
  }

  /** The button loads the next page, or what failed to load. @param {{ isMore: boolean, failed: boolean }} loaded */
  showMore({ isMore, failed }) {
    const button = this.dialog.querySelector('[data-more]')
    if (!(button instanceof HTMLElement)) return
    button.hidden = !failed && this.cursor === null
    button.textContent = failed ? 'Retry' : 'Load more'
    button.dataset.more = failed && !isMore ? 'first' : ''
  }

  /** @param {LibraryFile} file */
  tileOf({ id, name, alt, kind, status, failure, durationMs, renditions }) {
    const label = document.createElement('label')
    const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: this.chosen.has(id) })
    Object.assign(box.dataset, { id, name, alt })
    box.disabled = status === 'failed'
    const src = `/api/media/${id}/file/thumb`
    const blank = Object.assign(document.createElement('span'), { className: 'blank', textContent: blanks[kind] ?? '' })
    const image = Object.assign(document.createElement('img'), { src, alt, loading: 'lazy' })
    image.addEventListener('error', () => image.replaceWith(blank))
    const words = Object.assign(document.createElement('span'), { textContent: name || `Untitled ${kind}` })
    words.className = 'truncate'
    label.append(box, renditions.thumb ? image : blank, words)
    const facts = failure ?? (kind === 'image' ? '' : factsOf({ kind, status, durationMs }))
    if (facts) label.append(Object.assign(document.createElement('small'), { textContent: facts, className: 'muted' }))
    const item = document.createElement('li')
    item.append(label)
    return item
  }

  /** @param {HTMLInputElement} box */
  choose({ checked, dataset: { id = '', name = '', alt = '' } }) {
    if (checked) this.chosen.set(id, { id, name, alt })
    else this.chosen.delete(id)
    this.update()
  }

  update() {
    const button = this.dialog.querySelector('[data-add-chosen]')
    if (!(button instanceof HTMLButtonElement)) return
    button.disabled = this.chosen.size === 0
    button.textContent = this.chosen.size > 0 ? `Add ${this.chosen.size}` : 'Add'
  }

  finish() {
    this.dialog.close()
    this.options.add([...this.chosen.values()])
  }

  /** @param {string} words */
  say(words) {
    const place = this.dialog.querySelector('[data-note]')
    if (place) place.textContent = words
  }
}
