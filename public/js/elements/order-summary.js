/** Shows the package, the seats and the price that the form of the checkout has. */
class OrderSummary extends HTMLElement {
  connectedCallback() {
    const form = document.querySelector('#checkout-form')
    if (!(form instanceof HTMLFormElement)) return
    form.addEventListener('input', () => this.#show(form))
    // Browsers restore what was entered when people come back.
    addEventListener('pageshow', () => this.#show(form))
  }

  /** @param {HTMLFormElement} form */
  #show(form) {
    const chosen = form.querySelector('[name=package]:checked')
    const entered = Number(new FormData(form).get('seats'))
    if (!(chosen instanceof HTMLInputElement) || !Number.isInteger(entered) || entered < 1) return
    const { name, amount, currency } = chosen.dataset
    const isFree = chosen.value === 'free'
    const seats = isFree ? 1 : entered
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    const total = (Number(amount) * seats) / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0)
    this.#write('[data-package]', `${name}, ${seats} ${seats === 1 ? 'seat' : 'seats'}`)
    this.#write('[data-total]', `${format.format(total)} ${isFree ? 'a year' : 'a month'}`)
  }

  /** @param {string} place @param {string} text */
  #write(place, text) {
    const element = this.querySelector(place)
    if (element && element.textContent !== text) element.textContent = text
  }
}

customElements.define('order-summary', OrderSummary)
