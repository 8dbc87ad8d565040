import { fillLink, linkTakers, readLink } from './link-field.js'
import { loadNetworkStyles } from './network-styles.js'
import { textsFor } from './own-texts.js'
import { firstLink } from './preview/rich-text.js'

/** @typedef {import('../elements/post-composer.js').PostComposer} PostComposer */

/** The card below a post, and the offer to add one for the first link of its text. */
export class LinkPreviewField {
  /** Small copies of images, by their URLs. @type {Map<string, string>} */
  thumbnails = new Map()
  /** Why a URL has no link preview. */
  problem = { url: '', message: '' }
  /** The URL that is being read. */
  reading = ''

  /** @param {PostComposer} composer @param {HTMLElement} field */
  constructor(composer, field) {
    this.composer = composer
    this.field = field
    void loadNetworkStyles(composer)
    this.button('add').addEventListener('click', () => void this.add())
    this.button('remove').addEventListener('click', () => this.remove())
  }

  /** @param {'add' | 'remove'} name @returns {HTMLButtonElement} */
  button(name) {
    const found = this.field.querySelector(`[data-link="${name}"]`)
    if (found instanceof HTMLButtonElement) return found
    throw new Error(`The field has no button ${name}`)
  }

  get card() {
    return readLink(this.composer) ?? null
  }

  /** The first link of the texts of accounts that take a card. */
  get url() {
    const { composer } = this
    const links = linkTakers(composer).map(({ dataset }) => firstLink(textsFor(composer, dataset.provider)[0] ?? ''))
    return links.find((link) => link !== null) ?? null
  }

  get hasFiles() {
    return this.composer.picker?.images.some(({ post }) => post === 0) ?? false
  }

  /** Undefined when the image was read by an earlier page, or there is none. */
  get thumbnail() {
    return this.thumbnails.get(this.card?.imageUrl ?? '')
  }

  draw() {
    const { card, url, hasFiles, field, composer } = this
    const isTaken = linkTakers(composer).length > 0 || composer.dataset.post !== undefined
    const canAdd = card === null && url !== null && !hasFiles
    field.hidden = !(card ? isTaken : canAdd)
    const add = this.button('add')
    add.hidden = !canAdd
    add.disabled = this.reading !== ''
    this.say('[data-url]', canAdd ? (this.reading && 'Reading the page…') || url : '')
    const refusal = this.problem.url === url ? this.problem.message : ''
    const message = card && hasFiles ? 'A post can’t have both files and a link preview. Remove one of them.' : refusal
    field.toggleAttribute('data-invalid', message !== '')
    this.say('.error span', message)
    this.drawCard()
  }

  drawCard() {
    const { card, field, thumbnail } = this
    const shown = field.querySelector('[data-shown]')
    const image = shown?.querySelector('img')
    if (!(shown instanceof HTMLElement) || !image) return
    shown.hidden = card === null
    this.say('[data-title]', card?.title ?? '')
    this.say('[data-about]', card ? [URL.parse(card.url)?.host, card.description].filter(Boolean).join(' · ') : '')
    image.hidden = thumbnail === undefined
    if (thumbnail && image.src !== thumbnail) image.src = thumbnail
  }

  async add() {
    const { composer, url } = this
    if (url === null || this.reading !== '') return
    this.reading = url
    this.problem = { url, message: '' }
    this.draw()
    const read = await readPage({ brandId: composer.dataset.brand ?? '', url })
    this.reading = ''
    if ('problem' in read) this.problem = { url, message: read.problem }
    else {
      const { title, description, imageUrl, thumbnail } = read
      if (imageUrl && thumbnail) this.thumbnails.set(imageUrl, thumbnail)
      fillLink(composer, { url: read.url, title, description, imageUrl })
    }
    this.changed()
    this.button('problem' in read ? 'add' : 'remove').focus()
  }

  remove() {
    fillLink(this.composer, null)
    this.changed()
    if (!this.field.hidden) this.button('add').focus()
    else this.composer.parts[0]?.focus()
  }

  changed() {
    this.composer.draw()
    this.composer.input?.changed()
  }

  /** @param {string} selector @param {string} words */
  say(selector, words) {
    const element = this.field.querySelector(selector)
    if (element && element.textContent !== words) element.textContent = words
  }
}

/**
 * @typedef {import('./link-field.js').Card & { thumbnail: string | null }} Preview
 * @param {{ brandId: string, url: string }} page
 * @returns {Promise<Preview | { problem: string }>}
 */
async function readPage(page) {
  try {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const response = await fetch('/api/link-previews', { method: 'POST', headers, body: JSON.stringify(page) })
    const body = await response.json()
    return response.ok ? body : { problem: body.errors?.[0]?.message ?? body.detail }
  } catch {
    return { problem: 'The page couldn’t be read. Check your connection and retry.' }
  }
}
