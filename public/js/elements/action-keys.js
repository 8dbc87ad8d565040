/**
 * Keys of a list of cards with `data-action`: `j` and `k` move to the next and the previous one. When a card with the
 * focus goes away, the one in its place gets it.
 */
class ActionKeys extends HTMLElement {
  /** The place of the card with the focus. */
  #place = -1
  #observer = new MutationObserver(() => this.#keepFocus())

  connectedCallback() {
    document.addEventListener('keydown', this.#onKey)
    this.addEventListener('focusin', this.#onFocus)
    this.#observer.observe(this, { childList: true, subtree: true })
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#onKey)
    this.#observer.disconnect()
  }

  /** @returns {HTMLElement[]} */
  get #cards() {
    return [...this.querySelectorAll('[data-action]')].filter((card) => card instanceof HTMLElement)
  }

  #onFocus = () => {
    this.#place = this.#cards.findIndex((card) => card.contains(document.activeElement))
  }

  /** @param {KeyboardEvent} event */
  #onKey = (event) => {
    const step = { j: 1, k: -1 }[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const cards = this.#cards
    cards[Math.min(Math.max(this.#place + step, 0), cards.length - 1)]?.focus()
  }

  #keepFocus() {
    if (this.#place < 0 || document.activeElement !== document.body) return
    const cards = this.#cards
    cards[Math.min(this.#place, cards.length - 1)]?.focus()
  }
}

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof Element && target.closest('input, textarea, select, dialog, [contenteditable]') !== null

customElements.define('action-keys', ActionKeys)
