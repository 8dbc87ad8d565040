import { loadStyles } from './load-styles.js'

/** @typedef {HTMLTextAreaElement | HTMLInputElement} Field */
/** @typedef {{ text: string }} Suggestion */
/** The word before the caret. @typedef {{ field: Field, start: number, word: string }} Place */
/**
 * Where the suggestions for a word are, and what is said of each.
 * @typedef {{ hrefOf: (word: string) => string | null, noteOf: (suggestion: any) => string }} Source
 */

/** Milliseconds without a key until suggestions are requested. */
const delayMs = 120
const word = /(?<![\p{L}\p{N}_@/.])[#@][\p{L}\p{N}_.@-]{0,50}$/u
const listId = 'completions'

/** Words that begin with `#` or `@`, offered while one is typed in a field of an element. */
export class Completion {
  /** @type {Place | null} */
  place = null
  active = -1
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer
  /** @type {AbortController | null} */
  asking = null
  list = document.createElement('ul')
  news = document.createElement('output')

  /** @param {HTMLElement} root @param {Field} field @param {Source} source */
  constructor(root, field, source) {
    this.root = root
    this.source = source
    Object.assign(this.list, { id: listId, className: 'completions', role: 'listbox', hidden: true })
    this.list.ariaLabel = 'Suggestions'
    this.news.className = 'visually-hidden'
    root.addEventListener('input', ({ target }) => this.typed(target))
    // Before the element, which sends the form with Enter, and the page.
    root.addEventListener('keydown', (event) => this.pressed(event), true)
    root.addEventListener('focusout', () => this.close())
    // A click on a suggestion must not take the focus.
    this.list.addEventListener('pointerdown', (event) => event.preventDefault())
    this.list.addEventListener('click', ({ target }) => this.clicked(target))
    this.typed(field)
  }

  /** @param {EventTarget | null} field */
  typed(field) {
    clearTimeout(this.timer)
    if (!isField(field)) return
    const place = placeIn(field)
    if (!place) return this.close()
    this.timer = setTimeout(() => void this.suggest(place), delayMs)
  }

  /** @param {Place} place */
  async suggest(place) {
    this.asking?.abort()
    const { signal } = (this.asking = new AbortController())
    const href = this.source.hrefOf(place.word)
    if (href === null) return this.close()
    const styles = loadStyles(this.root.dataset.completionStyles)
    const response = await fetch(href, { headers: { accept: 'application/json' }, signal }).catch(() => null)
    const found = response?.ok ? await response.json().catch(() => null) : null
    await styles
    if (signal.aborted || placeIn(place.field)?.word !== place.word) return
    /** @type {Suggestion[]} */
    const items = found?.items ?? []
    // What is typed already needs no completion.
    const others = items.filter(({ text }) => text !== place.word)
    if (others.length === 0 || document.activeElement !== place.field) this.close()
    else this.open(place, others)
  }

  /** @param {Place} place @param {Suggestion[]} items */
  open(place, items) {
    this.close()
    this.place = place
    const { field } = place
    this.list.replaceChildren(...items.map((item, at) => this.createOption(item, at)))
    field.after(this.list)
    this.root.append(this.news)
    this.list.hidden = false
    field.setAttribute('aria-autocomplete', 'list')
    field.setAttribute('aria-haspopup', 'listbox')
    field.setAttribute('aria-controls', listId)
    this.news.textContent = `${items.length} ${items.length === 1 ? 'suggestion' : 'suggestions'}. Up and down to choose, Enter to insert.`
    this.mark(0)
  }

  close() {
    clearTimeout(this.timer)
    this.asking?.abort()
    const { field } = this.place ?? {}
    for (const name of ['aria-autocomplete', 'aria-haspopup', 'aria-controls', 'aria-activedescendant'])
      field?.removeAttribute(name)
    this.place = null
    this.list.hidden = true
    this.list.remove()
    this.news.textContent = ''
  }

  /** @param {Suggestion} item @param {number} at */
  createOption(item, at) {
    const option = document.createElement('li')
    option.id = `${listId}-${at}`
    option.role = 'option'
    const name = document.createElement('span')
    name.textContent = item.text
    const note = document.createElement('small')
    note.textContent = this.source.noteOf(item)
    option.append(name, note)
    return option
  }

  /** @param {number} at */
  mark(at) {
    const options = [...this.list.children]
    this.active = (at + options.length) % options.length
    options.forEach((option, each) => (option.ariaSelected = String(each === this.active)))
    this.place?.field.setAttribute('aria-activedescendant', `${listId}-${this.active}`)
    options[this.active]?.scrollIntoView({ block: 'nearest' })
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (!this.place || event.target !== this.place.field || event.isComposing) return
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key === 'ArrowDown') this.mark(this.active + 1)
    else if (event.key === 'ArrowUp') this.mark(this.active - 1)
    else if (event.key === 'Enter' || event.key === 'Tab') this.insert(this.active)
    else if (event.key === 'Escape') this.close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  /** @param {EventTarget | null} target */
  clicked(target) {
    const option = target instanceof Element ? target.closest('[role="option"]') : null
    if (option) this.insert([...this.list.children].indexOf(option))
  }

  /** @param {number} at */
  insert(at) {
    const text = this.list.children[at]?.querySelector('span')?.textContent
    const { place } = this
    this.close()
    if (!place || !text) return
    const { field, start, word: typed } = place
    field.setRangeText(`${text} `, start, start + typed.length, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** @param {EventTarget | null} field @returns {field is Field} */
const isField = (field) =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.type === 'text')

/** @param {Field} field @returns {Place | null} */
function placeIn(field) {
  const { selectionStart, selectionEnd } = field
  if (selectionEnd === null || selectionStart !== selectionEnd) return null
  const [typed] = word.exec(field.value.slice(0, selectionEnd)) ?? []
  return typed === undefined ? null : { field, start: selectionEnd - typed.length, word: typed }
}
