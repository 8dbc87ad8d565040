/** Milliseconds between two moves of the line. */
const moveEvery = 15_000

/** The posts of a day: keeps the line of the current time between those before and after it. */
class DayAgenda extends HTMLElement {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  timer

  connectedCallback() {
    this.timer = setInterval(() => this.move(), moveEvery)
  }

  disconnectedCallback() {
    clearInterval(this.timer)
  }

  move() {
    const line = this.querySelector('[data-now]')
    const time = line?.querySelector('time')
    if (!line || !time) return
    const now = new Date()
    time.dateTime = now.toISOString()
    time.title = ''
    const { zone, language, cycle } = this.dataset
    time.textContent = now.toLocaleTimeString(language, {
      timeZone: zone,
      hour: cycle === 'h12' ? 'numeric' : '2-digit',
      minute: '2-digit',
      hourCycle: cycle === 'h12' ? 'h12' : 'h23',
    })
    const later = [...this.querySelectorAll('li:not([data-now])')].find(
      (item) => Date.parse(item.querySelector('time')?.dateTime ?? '') > now.getTime(),
    )
    if (line.nextElementSibling !== (later ?? null)) line.parentElement?.insertBefore(line, later ?? null)
  }
}

customElements.define('day-agenda', DayAgenda)
