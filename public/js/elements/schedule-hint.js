import { scheduleInWords } from '../lib/wall-time.js'

/** Says what the date, time and time zone of its form mean. */
class ScheduleHint extends HTMLElement {
  connectedCallback() {
    const form = this.closest('form')
    for (const type of ['input', 'change']) form?.addEventListener(type, () => this.draw(form))
    this.closest('dialog')?.addEventListener('toggle', () => form && this.draw(form))
  }

  /** @param {HTMLFormElement} form */
  draw(form) {
    /** @param {string} name */
    const read = (name) => {
      const value = new FormData(form).get(name)
      return typeof value === 'string' ? value : ''
    }
    const { field = 'scheduledAt' } = this.dataset
    const { words, isWrong } = scheduleInWords({
      date: read(`${field}.date`),
      time: read(`${field}.time`),
      zone: read('timeZone'),
      own: this.dataset.zone || 'UTC',
      now: Date.now(),
    })
    const output = this.querySelector('output')
    if (output && output.textContent !== words) output.textContent = words
    output?.toggleAttribute('data-wrong', isWrong)
  }
}

customElements.define('schedule-hint', ScheduleHint)
