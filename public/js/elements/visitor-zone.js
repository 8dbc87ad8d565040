/** At the first visit, shows the times in the zone of the browser. */
class VisitorZone extends HTMLElement {
  connectedCallback() {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const url = new URL(location.href)
    const select = this.querySelector('select')
    if (!select || url.pathname !== '/demo' || url.searchParams.has('timeZone') || select.value === timeZone) return
    if (![...select.options].some(({ value }) => value === timeZone)) return
    url.searchParams.set('timeZone', timeZone)
    location.replace(url)
  }
}

customElements.define('visitor-zone', VisitorZone)
