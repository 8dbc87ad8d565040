import { loadNetworkStyles } from '../network-styles.js'
import { linkTakers } from '../link-field.js'
import { textsFor } from '../own-texts.js'
import { drawFiles } from './files.js'
import { lookOf } from './looks.js'
import { drawText, firstLink } from './rich-text.js'

/** @typedef {import('../../elements/post-composer.js').PostComposer} PostComposer */
/** @typedef {import('./files.js').File} File */
/** @typedef {{ url: string, title?: string, thumbnail?: string | undefined }} Card */

/** Once its styles are there. @param {PostComposer} composer @param {HTMLElement} place */
export async function openPreview(composer, place) {
  await loadNetworkStyles(composer)
  return new NetworkPreview(composer, place)
}

/** Shows what is written as each chosen network will show it. */
export class NetworkPreview {
  /** What each account's preview shows, so that it is only drawn when that changes. @type {WeakMap<Element, string>} */
  drawn = new WeakMap()
  /** Accounts whose text is shown whole. @type {Set<string>} */
  whole = new Set()

  /** @param {PostComposer} composer @param {HTMLElement} place */
  constructor(composer, place) {
    this.composer = composer
    this.place = place
    place.querySelector('h2')?.after(this.createSchemes())
  }

  draw() {
    for (const shown of this.place.querySelectorAll('[data-account]:not([hidden])'))
      if (shown instanceof HTMLElement) this.drawAccount(shown)
  }

  /** @param {HTMLElement} shown */
  drawAccount(shown) {
    const { account = '', provider = '' } = shown.dataset
    const article = shown.querySelector('article')
    if (!article) return
    const texts = textsFor(this.composer, provider)
    const files = texts.map((_, part) => this.filesOf(part, texts.length))
    const title = provider === 'youtube' ? this.composer.value('youtube.title') : ''
    const card = this.cardOf(provider)
    const state = JSON.stringify([texts, files, title, card, this.whole.has(account)])
    if (this.drawn.get(article) === state) return
    this.drawn.set(article, state)
    const header = article.querySelector(':scope > header')
    const posts = texts.map((text, part) => {
      const post = { text, files: files[part] ?? [], title: title || (text.split('\n')[0] ?? '') }
      return this.drawPost({ ...post, card: part === 0 ? card : null }, { account, provider })
    })
    if (header instanceof HTMLElement) header.hidden = posts.length > 1
    const content = posts.length > 1 ? [drawThread(posts, header)] : (posts[0] ?? [])
    article.replaceChildren(...(header ? [header] : []), ...content)
    article.dataset.network = provider
  }

  /** That of the form, where the network takes one. @param {string} provider @returns {Card | null} */
  cardOf(provider) {
    const { composer } = this
    const isTaken = linkTakers(composer).some(({ dataset }) => dataset.provider === provider)
    const { card = null, thumbnail } = composer.link ?? {}
    return isTaken && card ? { url: card.url, title: card.title, thumbnail } : null
  }

  /** @param {number} part @param {number} parts @returns {File[]} */
  filesOf(part, parts) {
    const images = this.composer.picker?.images ?? []
    return images.filter(({ post }) => Math.min(post, parts - 1) === part)
  }

  /**
   * @param {{ text: string, files: File[], title: string, card: Card | null }} post
   * @param {{ account: string, provider: string }} of
   */
  drawPost({ text, files, title, card: own }, { account, provider }) {
    const look = lookOf(provider)
    const expand = () => {
      this.whole.add(account)
      this.draw()
    }
    const words = drawText(text || 'Your post appears here as you type.', look, {
      isWhole: this.whole.has(account),
      expand,
    })
    const shots = files.length > 0 ? [drawFiles(files, look)] : []
    const url = look.card ? firstLink(text) : null
    const card = files.length > 0 ? null : (own ?? (url === null ? null : { url }))
    if (provider === 'youtube') return [...shots, heading(title), words]
    return look.mediaFirst ? [...shots, words] : [words, ...shots, ...(card ? [drawCard(card)] : [])]
  }

  /** Readers of networks use both. */
  createSchemes() {
    const group = document.createElement('div')
    group.className = 'segments'
    group.role = 'group'
    group.ariaLabel = 'Preview theme'
    for (const scheme of ['Light', 'Dark']) {
      const button = document.createElement('button')
      Object.assign(button, { type: 'button', textContent: scheme, ariaPressed: 'false' })
      button.addEventListener('click', () => {
        const isPressed = button.ariaPressed === 'true'
        for (const each of group.querySelectorAll('button')) each.ariaPressed = String(each === button && !isPressed)
        if (isPressed) delete this.place.dataset.scheme
        else this.place.dataset.scheme = scheme.toLowerCase()
      })
      group.append(button)
    }
    return group
  }
}

/** @param {string} title */
function heading(title) {
  const made = document.createElement('p')
  made.className = 'title'
  made.textContent = title || 'Video title'
  return made
}

/** @param {(Node | string)[][]} posts @param {Element | null} header */
function drawThread(posts, header) {
  const thread = document.createElement('ol')
  thread.className = 'thread'
  thread.append(
    ...posts.map((post, at) => {
      const item = document.createElement('li')
      const body = document.createElement('div')
      const line = document.createElement('header')
      const name = document.createElement('strong')
      name.textContent = header?.querySelector('strong')?.textContent ?? ''
      const place = document.createElement('small')
      place.textContent = `${at + 1}/${posts.length}`
      line.append(name, place)
      body.append(line, ...post)
      const avatar = header?.querySelector('.avatar')?.cloneNode(true)
      item.append(...(avatar ? [avatar] : []), body)
      return item
    }),
  )
  return thread
}

/** Without a title, the network fills it in from the page. @param {Card} card */
function drawCard({ url, title, thumbnail }) {
  const card = document.createElement('div')
  card.className = 'link-card'
  const host = document.createElement('small')
  host.textContent = URL.parse(url)?.host ?? url
  if (title === undefined) return append(card, blank('Page image and title'), host)
  const name = document.createElement('b')
  name.textContent = title
  if (thumbnail === undefined) return append(card, name, host)
  const image = document.createElement('img')
  Object.assign(image, { src: thumbnail, alt: '' })
  return append(card, image, name, host)
}

/** @param {string} words */
function blank(words) {
  const place = document.createElement('span')
  place.className = 'blank'
  place.textContent = words
  return place
}

/** @param {HTMLElement} element @param {HTMLElement[]} children */
function append(element, ...children) {
  element.append(...children)
  return element
}
