/** The command palette: Ctrl-K or ⌘-K opens it, arrow keys choose a result, and Enter opens the result. */
class CommandPalette extends HTMLElement {
  /** Whether the response to the last input is pending. */
  isLoading = false
  /** Whether Enter was pressed before the response arrived. */
  hurried = false
  /** The ID of the option that was chosen with an arrow key since the last input. @type {string | null} */
  moved = null

  connectedCallback() {
    const { dialog } = this
    document.addEventListener('keydown', (event) => this.shortcut(event))
    dialog?.addEventListener('toggle', () => this.toggled())
    this.addEventListener('input', () => {
      this.isLoading = true
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

  /** Loads results when it opens. Cleared when it closes, since the first letter can arrive before the `toggle` event. */
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
    // By default the first Escape only clears a search field.
    if (key === 'Escape') this.dialog?.close()
    else if (key === 'Enter') this.enter()
    else this.move(key === 'ArrowDown' ? 1 : -1)
  }

  enter() {
    this.hurried = this.isLoading
    if (!this.isLoading) this.options.find(isChosen)?.click()
  }

  /** Wraps around. @param {number} by */
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

  /** Results of earlier input are shown, but Enter waits for those of the last one. @param {Event} event */
  answered(event) {
    const url = event instanceof CustomEvent ? new URL(event.detail.ctx.request.action, location.href) : null
    this.isLoading = url?.searchParams.get('q') !== this.field?.value
    this.querySelector('.form-problem')?.replaceChildren()
    this.choose(this.options.find(({ id }) => id === this.moved) ?? this.options[0])
    if (this.isLoading) return
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

/** A URL with a dialog's name as its fragment opens the dialog: `/workspace/brands#new-brand`. */
function openNamed() {
  const named = document.getElementById(location.hash.slice(1))
  if (!(named instanceof HTMLDialogElement)) return
  history.replaceState(history.state, '', location.pathname + location.search)
  named.showModal()
}

addEventListener('hashchange', openNamed)
openNamed()
