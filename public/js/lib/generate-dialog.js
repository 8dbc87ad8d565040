import { clearError, showError } from './field-errors.js'
import { refusalIn } from './media-tile.js'

/** @typedef {{ id: string, name: string, alt: string }} GeneratedImage */
/** @typedef {{ add?(images: GeneratedImage[]): void, generated?(): void }} Options */

const inProgress = 'idempotency_in_progress'
const unanswered = 'The server’s response didn’t arrive. Retry: nothing is charged twice.'
const interrupted =
  'The first request was interrupted. It may have been charged. Look for its images in the library before you generate again.'

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
  /** The order whose response didn't arrive: with its key it is paid once. @type {{ key: string, text: string } | null} */
  unanswered = null
  /** @type {ReturnType<typeof setInterval> | undefined} */
  waiting = undefined
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
    dialog.querySelector('[data-retry]')?.addEventListener('click', () => void this.generate())
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
    this.clear()
    const order = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
    if (!form.querySelector('textarea')?.value.trim())
      return this.refuse({ errors: [{ path: 'prompt', message: 'Describe the image.' }] })
    this.say('Generating. This can take a minute. You can close this: images are saved in the library.')
    submit.disabled = true
    const waiting = Array.from({ length: Number(order['count'] ?? 1) }, () => this.append())
    const began = performance.now()
    const { response, body } = await this.send(JSON.stringify(order))
    for (const item of waiting) item?.remove()
    submit.disabled = false
    this.say('')
    if (!response || !body) return this.refuse({ detail: unanswered }, { canRetry: true })
    if (response.ok) return this.show(body, (performance.now() - began) / 1000)
    const { status, headers } = response
    const seconds = Number(headers.get('retry-after') ?? 0)
    const canRetry = status === 429 || (status >= 500 && body.code !== 'provider_key_rejected')
    if (body.code !== inProgress) this.refuse(body, { canRetry, seconds })
    else if (body.interrupted) this.refuse({ detail: interrupted })
    else this.refuse({ detail: 'It is still being generated. Retry in a moment.' }, { canRetry: true })
  }

  /** @param {string} text */
  async send(text) {
    this.unanswered = this.unanswered?.text === text ? this.unanswered : { key: crypto.randomUUID(), text }
    const { key } = this.unanswered
    const response = await fetch('/api/images', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'idempotency-key': key },
      body: text,
    }).catch(() => null)
    const body = await response?.json().catch(() => null)
    const isAnswered = body && (body.code !== inProgress || body.interrupted)
    if (isAnswered) this.unanswered = null
    return { response, body }
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

  /** Nothing is sent by itself: the person decides once the provider takes requests again. @param {number} seconds */
  wait(seconds) {
    const { submit } = this
    const retry = this.dialog.querySelector('[data-retry]')
    const shown = this.dialog.querySelector('[data-wait]')
    if (!(submit instanceof HTMLButtonElement) || !(shown instanceof HTMLElement)) return
    const until = performance.now() + seconds * 1000
    const tick = () => {
      const left = Math.ceil((until - performance.now()) / 1000)
      submit.disabled = left > 0
      shown.hidden = left <= 0
      // Not announced each second.
      shown.textContent = `You can generate again in ${left} s.`
      if (left > 0) return
      clearInterval(this.waiting)
      this.say('You can generate again now.')
      retry?.removeAttribute('hidden')
    }
    this.waiting = setInterval(tick, 1000)
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

  /** Removes what an earlier order left. */
  clear() {
    clearInterval(this.waiting)
    for (const field of this.dialog.querySelectorAll('[aria-invalid]')) clearError(field)
    for (const name of ['retry', 'wait']) this.dialog.querySelector(`[data-${name}]`)?.setAttribute('hidden', '')
    this.explain('')
  }

  /**
   * Shows each error at its field, and the others below the form.
   * @param {{ detail?: string, errors?: { path: string, message: string }[] }} problem
   * @param {{ canRetry?: boolean, seconds?: number }} [options]
   */
  refuse(problem, { canRetry = false, seconds = 0 } = {}) {
    const { errors = [] } = problem
    const rest = errors.filter((error) => !this.mark(error))
    if (errors.length === 0) this.explain(refusalIn(problem))
    else this.explain(rest.map(({ message }) => message).join(' '))
    const first = this.dialog.querySelector('[aria-invalid]')
    if (first instanceof HTMLElement) first.focus()
    if (canRetry && seconds > 0) this.wait(seconds)
    else this.dialog.querySelector('[data-retry]')?.toggleAttribute('hidden', !canRetry)
  }

  /** @param {{ path: string, message: string }} error @returns whether a field that shows errors has it */
  mark({ path, message }) {
    const field = this.form?.querySelector(`:is(textarea, select)[name="${CSS.escape(path)}"]`)
    if (!(field instanceof HTMLElement)) return false
    showError(field, message)
    return true
  }

  /** @param {string} words */
  explain(words) {
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
