import { refusalIn } from './media-tile.js'

/** @typedef {{ id: string, name: string, alt: string }} GeneratedImage */
/** @typedef {{ add?(images: GeneratedImage[]): void, generated?(): void }} Options */

/** @type {WeakMap<HTMLElement, GenerateDialog>} */
const opened = new WeakMap()

/** Opens the dialog of this page, which is loaded at first. @param {Options} options @throws when it can't be loaded */
export async function openGenerateDialog(options) {
  const place = document.querySelector('#generate-place')
  if (!(place instanceof HTMLElement)) throw new Error('The page has no place for the dialog')
  const before = place.querySelector('dialog')
  if (before && opened.has(before)) return before.showModal()
  const dialog = await load(place)
  opened.set(dialog, new GenerateDialog(dialog, options))
  dialog.showModal()
}

/** @param {HTMLElement} place @returns {Promise<HTMLDialogElement>} */
function load(place) {
  const { promise, resolve, reject } = Promise.withResolvers()
  const listening = new AbortController()
  /** @param {Event} event */
  const settle = (event) => {
    if (!(event instanceof CustomEvent) || event.detail.ctx?.sourceElement !== place) return
    listening.abort()
    const dialog = place.querySelector('dialog')
    if (dialog) resolve(dialog)
    else reject(new Error('The dialog was not loaded'))
  }
  for (const name of ['htmx:after:swap', 'htmx:error', 'htmx:finally:request'])
    document.addEventListener(name, settle, { signal: listening.signal })
  place.dispatchEvent(new Event('open'))
  return promise
}

class GenerateDialog {
  /** Of the order that is being sent: a repeated one generates nothing twice. @type {string | null} */
  key = null
  /** @type {Map<HTMLInputElement, GeneratedImage>} */
  images = new Map()

  /** @param {HTMLDialogElement} dialog @param {Options} options */
  constructor(dialog, options) {
    this.dialog = dialog
    this.options = options
    this.form = dialog.querySelector('form')
    this.submit = dialog.querySelector('[type="submit"]')
    this.adder = dialog.querySelector('[data-add-generated]')
    this.adder?.toggleAttribute('hidden', !options.add)
    this.form?.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.generate()
    })
    dialog.addEventListener('change', () => this.update())
    dialog.addEventListener('keydown', (event) => this.pressed(event))
    this.adder?.addEventListener('click', () => this.finish())
    // A closed dialog is reset: the description stays for the next images.
    const prompt = dialog.querySelector('textarea')
    let typed = ''
    prompt?.addEventListener('input', () => (typed = prompt.value))
    dialog.addEventListener('close', () => {
      if (prompt) prompt.value = typed
    })
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    this.form?.requestSubmit()
  }

  async generate() {
    const { form, submit } = this
    if (!form || !(submit instanceof HTMLButtonElement) || submit.disabled) return
    const order = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
    if (!form.querySelector('textarea')?.value.trim()) return this.refuse('Describe the image.')
    this.key ??= crypto.randomUUID()
    this.refuse('')
    this.say('Generating. This can take a minute. You can close this: images are saved in the library.')
    submit.disabled = true
    const waiting = Array.from({ length: Number(order['count'] ?? 1) }, () => this.append())
    const began = performance.now()
    const response = await fetch('/api/images', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'idempotency-key': this.key },
      body: JSON.stringify(order),
    }).catch(() => null)
    const body = await response?.json().catch(() => null)
    for (const item of waiting) item?.remove()
    submit.disabled = false
    this.say('')
    if (!response) return this.refuse('The server can’t be reached. Generate again: nothing is charged twice.')
    this.key = null
    if (response.status === 429) return this.wait(Number(response.headers.get('retry-after') ?? 0), refusalIn(body))
    if (!response.ok) return this.refuse(refusalIn(body))
    this.show(body, (performance.now() - began) / 1000)
  }

  /** @param {{ images: GeneratedImage[], costNanoUsd: number | null }} generation @param {number} seconds */
  show({ images, costNanoUsd }, seconds) {
    const cost = costNanoUsd === null ? [] : [dollars(costNanoUsd / 1e9 / images.length)]
    for (const image of images) {
      const item = this.append()
      const box = item?.querySelector('input')
      if (!item || !box) return
      box.hidden = !this.options.add
      box.ariaLabel = `Choose image ${this.images.size + 1}`
      this.images.set(box, image)
      const picture = Object.assign(document.createElement('img'), {
        src: `/api/media/${image.id}/file/preview`,
        alt: image.alt,
      })
      const blank = item.querySelector('.pic')
      picture.addEventListener('error', () => {
        if (blank) picture.replaceWith(blank)
      })
      const note = blank?.querySelector('[data-note]')
      if (note) note.textContent = 'No preview'
      blank?.replaceWith(picture)
      const facts = item.querySelector('[data-facts]')
      if (facts) facts.textContent = [...cost, `${Math.max(1, Math.round(seconds))} s`].join(', ')
      const link = item.querySelector('a')
      if (link) Object.assign(link, { href: `/api/media/${image.id}/file`, download: image.name, hidden: false })
      if (link) link.ariaLabel = `Download image ${this.images.size}`
    }
    this.say(`${images.length} ${images.length === 1 ? 'image' : 'images'} saved in the library.`)
    this.update()
    this.options.generated?.()
  }

  append() {
    const template = this.dialog.querySelector('template')
    const item = template && document.importNode(template.content, true).querySelector('li')
    const list = this.dialog.querySelector('ul')
    if (!item || !list) return null
    const box = item.querySelector('input')
    if (box) box.hidden = true
    list.append(item)
    list.hidden = false
    return item
  }

  /** Nothing is sent by itself: the person decides once the provider takes requests again. @param {number} seconds @param {string} reason */
  wait(seconds, reason) {
    const { submit } = this
    if (!(submit instanceof HTMLButtonElement)) return
    const until = performance.now() + seconds * 1000
    submit.disabled = true
    const tick = () => {
      const left = Math.ceil((until - performance.now()) / 1000)
      submit.disabled = left > 0
      this.refuse(left > 0 ? `${reason} You can generate again in ${left} s.` : 'You can generate again now.')
      if (left <= 0) clearInterval(timer)
    }
    const timer = setInterval(tick, 1000)
    tick()
  }

  get chosen() {
    return [...this.images].filter(([box]) => box.checked).map(([, image]) => image)
  }

  update() {
    const { adder, chosen } = this
    if (!(adder instanceof HTMLButtonElement)) return
    adder.disabled = chosen.length === 0
    adder.textContent = chosen.length > 0 ? `Add ${chosen.length} to post` : 'Add to post'
  }

  finish() {
    this.dialog.close()
    this.options.add?.(this.chosen)
    for (const box of this.images.keys()) box.checked = false
    this.update()
  }

  /** @param {string} words */
  refuse(words) {
    const error = this.dialog.querySelector('.body > .error')
    if (error) error.textContent = words
  }

  /** @param {string} words */
  say(words) {
    const place = this.dialog.querySelector('output')
    if (place) place.textContent = words
  }
}

/** @param {number} amount */
const dollars = (amount) => `$${amount.toFixed(amount < 0.1 ? 3 : 2)}`
