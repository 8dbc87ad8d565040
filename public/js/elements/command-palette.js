/** The command palette: opens by Ctrl-K or ⌘-K, goes through what was found by arrow keys, and opens it by Enter. */
class CommandPalette extends HTMLElement {
  /** What was typed last has not been answered yet. */
  asked = false
  /** Enter was pressed before the answer came. */
  hurried = false
  /** The id of the option that was chosen by an arrow key since the last letter. @type {string | null} */
  moved = null

  connectedCallback() {
    const { dialog } = this
    document.addEventListener('keydown', (event) => this.shortcut(event))
    dialog?.addEventListener('toggle', () => this.toggled())
    this.addEventListener('input', () => {
      this.asked = true
      this.moved = null
    })
    this.addEventListener('keydown', (event) => this.pressed(event))
    this.addEventListener('click', ({ target }) => this.taken(target))
    this.addEventListener('htmx:after:swap', (event) => this.answered(event))
    if (/Mac|iP(hone|ad)/.test(navigator.platform))
      for (const kbd of document.querySelectorAll('kbd[data-shortcut]')) kbd.textContent = '⌘ K'
  }

  get dialog() {
    return this.closest('dialog')
  }

  get field() {
    return this.querySelector('input')
  }

  /** @returns {HTMLElement[]} */
  get options() {
    return [...this.querySelectorAll('[role="option"]')].filter((option) => option instanceof HTMLElement)
  }

  /** @param {KeyboardEvent} event */
  shortcut(event) {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return
    event.preventDefault()
    if (this.dialog?.open) this.dialog.close()
    else this.dialog?.showModal()
  }

  /** Asks when it opens; is emptied when it closes, as the first letter may come before the opening is told. */
  toggled() {
    if (this.dialog?.open) this.field?.dispatchEvent(new Event('input', { bubbles: true }))
    else if (this.field) {
      this.field.value = ''
      this.querySelector('[role="listbox"]')?.replaceChildren()
    }
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { key, isComposing } = event
    if (isComposing || !['ArrowDown', 'ArrowUp', 'Enter', 'Escape'].includes(key)) return
    event.preventDefault()
    // By itself a search field is only emptied by the first Escape.
    if (key === 'Escape') this.dialog?.close()
    else if (key === 'Enter') this.enter()
    else this.move(key === 'ArrowDown' ? 1 : -1)
  }

  enter() {
    this.hurried = this.asked
    if (!this.asked) this.options.find(isChosen)?.click()
  }

  /** To the next or the one before, around the ends. @param {number} by */
  move(by) {
    const { options } = this
    const at = options.findIndex(isChosen) + by
    const option = options.at(at % options.length)
    this.moved = option?.id ?? null
    this.choose(option)
  }

  /** @param {HTMLElement | undefined} option */
  choose(option) {
    for (const each of this.options) each.setAttribute('aria-selected', String(each === option))
    option?.scrollIntoView({ block: 'nearest' })
    if (option) this.field?.setAttribute('aria-activedescendant', option.id)
    else this.field?.removeAttribute('aria-activedescendant')
  }

  /** An answer to fewer letters is shown, but Enter waits for the last one. @param {Event} event */
  answered(event) {
    const url = event instanceof CustomEvent ? new URL(event.detail.ctx.request.action, location.href) : null
    this.asked = url?.searchParams.get('q') !== this.field?.value
    this.querySelector('.form-problem')?.replaceChildren()
    this.choose(this.options.find(({ id }) => id === this.moved) ?? this.options[0])
    if (this.asked) return
    if (this.hurried) this.enter()
    this.hurried = false
  }

  /** @param {EventTarget | null} target */
  taken(target) {
    if (target instanceof Element && target.closest('[role="option"]')) this.dialog?.close()
  }
}

/** @param {Element} option */
const isChosen = (option) => option.getAttribute('aria-selected') === 'true'

customElements.define('command-palette', CommandPalette)

/** An address that ends with a dialog's name opens it: `/workspace/brands#new-brand`. */
function openNamed() {
  const named = document.getElementById(location.hash.slice(1))
  if (!(named instanceof HTMLDialogElement)) return
  history.replaceState(history.state, '', location.pathname + location.search)
  named.showModal()
}

addEventListener('hashchange', openNamed)
openNamed()
