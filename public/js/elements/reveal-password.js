class RevealPassword extends HTMLElement {
  connectedCallback() {
    const input = this.querySelector('input')
    const button = this.querySelector('button')
    if (!input || !button) return
    /** @param {boolean} shown */
    const show = (shown) => {
      input.type = shown ? 'text' : 'password'
      button.setAttribute('aria-pressed', String(shown))
    }
    button.addEventListener('click', () => show(input.type === 'password'))
    input.form?.addEventListener('submit', () => show(false))
  }
}

customElements.define('reveal-password', RevealPassword)
