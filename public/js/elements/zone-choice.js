import { allZones, ownZone, zoneLabel, zoneWords } from '../lib/time-zones.js'

/** The value of the choice to follow the browser, which `data-automatic` offers. */
const automatic = 'system'

/**
 * Makes a select of time zones a field that finds a zone as one types. Unless `data-chosen` is set, the browser's own zone
 * is selected.
 */
export class ZoneChoice extends HTMLElement {
  /** Of the options. @type {Map<HTMLElement, { zone: string, words: string }>} */
  options = new Map()

  connectedCallback() {
    const select = this.querySelector('select')
    if (!select || this.querySelector('[role="combobox"]')) return
    this.select = select
    if (!this.hasAttribute('data-chosen')) this.add(ownZone()).defaultSelected = true
    this.field = this.createField(select)
    this.list = document.createElement('div')
    Object.assign(this.list, { id: `${this.field.id}-zones`, className: 'popover menu', popover: 'manual' })
    this.list.setAttribute('role', 'listbox')
    this.list.setAttribute('aria-label', 'Time zones')
    this.field.setAttribute('aria-controls', this.list.id)
    select.hidden = true
    select.after(this.field, this.list)
    this.show()
    this.field.addEventListener('focus', () => this.field?.select())
    this.field.addEventListener('click', () => this.open())
    this.field.addEventListener('input', () => this.filter())
    this.field.addEventListener('keydown', (event) => this.press(event))
    this.field.addEventListener('blur', () => this.close())
    // The field keeps the focus.
    this.list.addEventListener('pointerdown', (event) => event.preventDefault())
    this.list.addEventListener('click', ({ target }) => {
      const option = target instanceof Element && target.closest('[role="option"]')
      if (option instanceof HTMLElement) this.choose(option)
    })
    select.form?.addEventListener('reset', () => setTimeout(() => this.show()))
  }

  /** Takes the select's place, label and hint. @param {HTMLSelectElement} select */
  createField(select) {
    const field = document.createElement('input')
    Object.assign(field, { id: select.id, className: 'input', autocomplete: 'off', spellcheck: false })
    for (const [name, value] of [
      ['role', 'combobox'],
      ['aria-autocomplete', 'list'],
      ['aria-expanded', 'false'],
      ['aria-describedby', select.getAttribute('aria-describedby') ?? ''],
    ])
      field.setAttribute(name ?? '', value ?? '')
    select.removeAttribute('id')
    return field
  }

  /** @param {string} zone */
  add(zone) {
    const option = new Option(zone, zone, false, true)
    this.select?.add(option)
    return option
  }

  get label() {
    const zone = this.select?.value ?? ''
    return zone === automatic ? `Automatic: ${zoneLabel(ownZone())}` : zoneLabel(zone)
  }

  show() {
    if (this.field) this.field.value = this.label
  }

  /** The options are made when they are first needed: their names take a moment. */
  fill() {
    if (this.options.size > 0) return
    const zones = [...(this.hasAttribute('data-automatic') ? [automatic] : []), ...allZones()]
    for (const zone of zones) {
      const option = document.createElement('button')
      const isAutomatic = zone === automatic
      Object.assign(option, { type: 'button', tabIndex: -1, id: `${this.list?.id}-${this.options.size}` })
      option.setAttribute('role', 'option')
      option.textContent = isAutomatic ? `Automatic: ${zoneLabel(ownZone())}` : zoneLabel(zone)
      this.options.set(option, { zone, words: isAutomatic ? 'automatic browser' : zoneWords(zone) })
    }
    this.list?.append(...this.options.keys())
  }

  get isOpen() {
    return this.list?.matches(':popover-open') ?? false
  }

  open() {
    if (this.isOpen || !this.field) return
    this.fill()
    for (const option of this.options.keys()) option.hidden = false
    this.list?.showPopover({ source: this.field })
    this.field.setAttribute('aria-expanded', 'true')
    this.mark([...this.options].find(([, { zone }]) => zone === this.select?.value)?.[0])
  }

  close() {
    if (this.isOpen) this.list?.hidePopover()
    this.field?.setAttribute('aria-expanded', 'false')
    this.mark(undefined)
    this.show()
  }

  filter() {
    this.open()
    const typed = this.field?.value.toLowerCase().trim().split(/\s+/) ?? []
    for (const [option, { words }] of this.options) option.hidden = !typed.every((word) => words.includes(word))
    this.mark(this.visible[0])
  }

  get visible() {
    return [...this.options.keys()].filter(({ hidden }) => !hidden)
  }

  /** @param {HTMLElement | undefined} option */
  mark(option) {
    this.marked = option
    for (const each of this.options.keys()) each.setAttribute('aria-selected', String(each === option))
    option?.scrollIntoView({ block: 'nearest' })
    if (option) this.field?.setAttribute('aria-activedescendant', option.id)
    else this.field?.removeAttribute('aria-activedescendant')
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.isComposing || (!step && !(this.isOpen && ['Enter', 'Escape'].includes(event.key)))) return
    event.preventDefault()
    if (event.key === 'Escape') return this.close()
    if (event.key === 'Enter') return this.marked && this.choose(this.marked)
    if (!this.isOpen) return this.open()
    const { visible } = this
    const at = visible.findIndex((option) => option === this.marked) + (step ?? 0)
    this.mark(visible.at(at % Math.max(visible.length, 1)))
  }

  /** @param {string} zone */
  set(zone) {
    if (!this.select) return
    if (![...this.select.options].some(({ value }) => value === zone)) this.add(zone)
    this.select.value = zone
    this.show()
  }

  /** @param {HTMLElement} option */
  choose(option) {
    const zone = this.options.get(option)?.zone
    if (!zone || !this.select) return
    const isChanged = this.select.value !== zone
    this.set(zone)
    // A form that saves each choice is reset afterwards.
    if (this.select.form?.getAttribute('hx-trigger')?.startsWith('change'))
      for (const each of this.select.options) each.defaultSelected = each.value === zone
    this.close()
    if (isChanged) this.select.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

customElements.define('zone-choice', ZoneChoice)
