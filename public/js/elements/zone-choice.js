/** Fills a select with the browser's time zones, and preselects the current one. */
class ZoneChoice extends HTMLElement {
  connectedCallback() {
    const select = this.querySelector('select')
    if (!select) return
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone
    const chosen = this.hasAttribute('data-chosen') ? select.value : own
    const zones = new Set([...Intl.supportedValuesOf('timeZone'), chosen, 'UTC'])
    select.replaceChildren(...[...zones].sort().map((zone) => new Option(zone, zone, false, zone === chosen)))
  }
}

customElements.define('zone-choice', ZoneChoice)
