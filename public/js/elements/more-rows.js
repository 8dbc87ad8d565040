/** Rows of a form of which those with `data-later` are hidden, until the button with `data-add` shows the next one. */
class MoreRows extends HTMLElement {
  connectedCallback() {
    this.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest('[data-add]') : null
      if (!(button instanceof HTMLElement)) return
      const [next, ...others] = this.querySelectorAll('[data-later]')
      next?.removeAttribute('data-later')
      next?.querySelector('input')?.focus()
      button.hidden = others.length === 0
    })
  }
}

customElements.define('more-rows', MoreRows)
