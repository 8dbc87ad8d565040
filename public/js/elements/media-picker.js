import { showError, fail, inputIn, label, readJson, show, fileProblem } from '../lib/media-tile.js'
import { isPlainClick } from '../lib/plain-click.js'
import { assignPost, drawPostChoice, postOf, removePostOf } from '../lib/thread-images.js'
import { TileUploads } from '../lib/tile-uploads.js'

/** Milliseconds between questions whether a file is read. */
const watchEvery = 1_500
const deleted = 'This file was deleted from the library. Remove it here.'

export class MediaPicker extends HTMLElement {
  uploads = new TileUploads({
    brandId: this.dataset.brand ?? '',
    stored: async (tile, id) => {
      await this.load(tile, id)
      this.say(`${tile.dataset.name} is uploaded.`)
    },
    failed: (tile, reason, options) => {
      fail(tile, reason, options)
      this.changed()
      this.say(`${tile.dataset.name} is not uploaded.`)
    },
  })
  /** @type {WeakMap<HTMLElement, File>} */
  files = new WeakMap()
  /** What networks say about each file. @type {WeakMap<HTMLElement, import('../lib/media-tile.js').Fit[]>} */
  fits = new WeakMap()
  /** @type {import('../lib/library-dialog.js').LibraryDialog | null} */
  library = null
  /** @type {import('../lib/crop-dialog.js').CropDialog | null} */
  cropper = null
  isSortable = false
  /** The post of a thread that new images belong to, from 0. */
  post = 0

  connectedCallback() {
    const around = this.closest('post-composer') ?? this
    this.addEventListener('change', (event) => this.chosen(event))
    this.addEventListener('input', (event) => assignPost(event))
    around.addEventListener('click', (event) => this.clicked(event))
    around.addEventListener('paste', (event) => this.pasted(event))
    for (const type of ['dragover', 'dragleave', 'drop']) around.addEventListener(type, (event) => this.dragged(event))
    // It doesn't bubble.
    this.addEventListener('error', ({ target }) => this.hideImage(target), true)
    // They can have failed before this script ran.
    for (const image of this.querySelectorAll('img'))
      if (image.complete && image.naturalWidth === 0 && image.currentSrc !== '') this.hideImage(image)
    const grid = this.querySelector('.media-grid')
    if (grid) new MutationObserver((changes) => this.removed(changes)).observe(grid, { childList: true })
    this.changed()
    for (const tile of this.uploaded) void this.watch(tile)
  }

  /** Once there is something to sort. */
  async makeSortable() {
    const grid = this.querySelector('.media-grid')
    if (!(grid instanceof HTMLElement) || this.isSortable || this.tiles.length === 0) return
    this.isSortable = true
    const { sortByDragging } = await import('../lib/drag-tiles.js')
    sortByDragging(grid, (tile) => this.moved(tile))
  }

  // Few people who open the composer need a dialog: its code is loaded when they do.

  async openLibrary() {
    const dialog = this.querySelector('dialog')
    const { LibraryDialog } = await import('../lib/library-dialog.js')
    const { brand: brandId = '' } = this.dataset
    if (dialog) this.library ??= new LibraryDialog(dialog, { brandId, add: (files) => this.addStored(files) })
    this.library?.open()
  }

  /** @param {HTMLElement} tile */
  async openCropper(tile) {
    const dialog = (this.closest('post-composer') ?? this).querySelector('#crop-image')
    const { CropDialog } = await import('../lib/crop-dialog.js')
    if (dialog instanceof HTMLDialogElement)
      this.cropper ??= new CropDialog(dialog, { replace: this.showCopy.bind(this) })
    this.cropper?.open(tile)
  }

  async openGenerator() {
    const { openGenerateDialog } = await import('../lib/generate-dialog.js')
    await openGenerateDialog({ add: (images) => this.addStored(images) })
  }

  /** @param {Promise<void>} opening */
  reportUnloaded(opening) {
    const message = 'The server can’t be reached. Try again.'
    opening.catch(() => document.dispatchEvent(new CustomEvent('toast', { detail: { message, tone: 'danger' } })))
  }

  /** @param {HTMLElement} tile @param {any} media */
  showCopy(tile, media) {
    this.place(tile, media)
    this.say(`${media.name} is used.`)
  }

  /** @param {{ id: string, name: string, alt: string }[]} files of the library */
  addStored(files) {
    const present = new Set(this.images.map(({ id }) => id))
    const added = files.filter(({ id }) => !present.has(id))
    for (const { id, name, alt } of added) {
      const tile = this.makeStored(id, name)
      const field = tile && inputIn(tile, '[data-alt]')
      if (field) field.value = alt
      if (tile) this.querySelector('.media-grid')?.lastElementChild?.before(tile)
    }
    this.changed()
    this.say(`${added.length} ${added.length === 1 ? 'file' : 'files'} added.`)
  }

  /** @param {HTMLElement} tile */
  moved(tile) {
    this.changed()
    this.say(`File ${this.tiles.indexOf(tile) + 1} of ${this.tiles.length}.`)
  }

  get tiles() {
    return [...this.querySelectorAll('li.attach')].filter((tile) => tile instanceof HTMLElement)
  }

  get kept() {
    return this.tiles.filter(({ dataset }) => dataset.state !== 'failed')
  }

  get uploaded() {
    return this.tiles.filter((tile) => inputIn(tile, '[data-id]')?.value)
  }

  get images() {
    return this.uploaded.map((tile) => ({
      id: inputIn(tile, '[data-id]')?.value ?? '',
      alt: inputIn(tile, '[data-alt]')?.value ?? '',
      post: postOf(tile),
      name: tile.dataset.name ?? '',
      kind: tile.dataset.kind ?? 'image',
      facts: tile.querySelector('[data-facts]')?.textContent ?? '',
      hasPreview: tile.querySelector('img:not([hidden])') !== null,
    }))
  }

  /** Why the post can't be saved yet; empty when it can. @param {{ isDraft: boolean }} options */
  faultOf({ isDraft }) {
    if (this.kept.length < this.tiles.length) return 'Remove or retry the files with errors.'
    if (this.uploaded.length < this.tiles.length) return 'Wait until all files are uploaded.'
    const isReady = isDraft || this.tiles.every(({ dataset }) => dataset.status !== 'processing')
    return isReady ? '' : 'Wait until all files are processed, or save a draft.'
  }

  /** Shows these images of the library. @param {{ mediaId: string, alt: string, part?: number }[]} images */
  replace(images) {
    const before = new Map(this.uploaded.map((tile) => [inputIn(tile, '[data-id]')?.value, tile]))
    const tiles = images.flatMap(({ mediaId, alt, part = 0 }) => {
      const tile = before.get(mediaId) ?? this.makeStored(mediaId)
      if (tile) tile.dataset.post = String(part)
      const field = tile && inputIn(tile, '[data-alt]')
      if (field) field.value = alt
      return tile ?? []
    })
    for (const tile of this.tiles) if (!tiles.includes(tile)) tile.remove()
    for (const tile of tiles) this.querySelector('.media-grid')?.lastElementChild?.before(tile)
    this.changed()
  }

  /** @param {string} id @param {string} [name] */
  makeStored(id, name = '') {
    const tile = this.makeTile()
    if (!tile) return null
    tile.dataset.name = name
    void this.load(tile, id)
    return tile
  }

  /** @param {HTMLElement} tile @param {string} id of a file in the library */
  async load(tile, id) {
    const field = inputIn(tile, '[data-id]')
    if (field) field.value = id
    const { status, body } = await readJson(`/api/media/${id}`)
    if (body?.id) return this.place(tile, body)
    if (status === 404) fail(tile, deleted)
    else fail(tile, 'The file can’t be loaded.', { canRetry: true })
    this.changed()
  }

  /** Shows a file of the library in a tile. @param {HTMLElement} tile @param {any} media */
  place(tile, media) {
    this.fits.delete(tile)
    show(tile, media)
    this.changed()
    void this.watch(tile)
  }

  /** Until the file is read; then it asks which networks accept it. @param {HTMLElement} tile */
  async watch(tile) {
    const id = inputIn(tile, '[data-id]')?.value
    const isShown = () => tile.isConnected && inputIn(tile, '[data-id]')?.value === id
    while (tile.dataset.status === 'processing' && isShown()) {
      await new Promise((resolve) => setTimeout(resolve, watchEvery))
      const { status, body } = await readJson(`/api/media/${id}`)
      if (!isShown()) return
      if (status === 404) {
        fail(tile, deleted)
        return this.changed()
      }
      if (body?.id && body.status !== 'processing') show(tile, body)
    }
    const { body } = await readJson(`/api/media/${id}/networks`)
    if (!body?.items || !isShown()) return
    this.fits.set(tile, body.items)
    // Nothing that has to be saved.
    this.dispatchEvent(new Event('checked', { bubbles: true }))
  }

  /** @param {EventTarget | null} image */
  hideImage(image) {
    if (!(image instanceof HTMLImageElement)) return
    image.hidden = true
    image.closest('.attach')?.querySelector('.blank')?.removeAttribute('hidden')
  }

  /** Sorting removes tiles and inserts them elsewhere. @param {MutationRecord[]} changes */
  removed(changes) {
    for (const tile of changes.flatMap(({ removedNodes }) => [...removedNodes]))
      if (tile instanceof HTMLElement && !tile.isConnected) this.uploads.cancel(tile)
  }

  /** Marks the files that the server didn't accept. @param {Element} problem of the form @returns whether there are any */
  mark(problem) {
    const marked = this.uploaded.filter((tile) => {
      const path = inputIn(tile, '[data-id]')?.name.replace(/\[(\w+)\]/g, '.$1')
      const item = problem.querySelector(`[data-field="${path}"]`)
      if (!item) return false
      fail(tile, item.textContent)
      item.remove()
      return true
    })
    if (marked.length === 0) return false
    this.changed()
    const remove = marked[0]?.querySelector('[data-take-out]')
    if (remove instanceof HTMLElement) requestAnimationFrame(() => remove.focus())
    return true
  }

  /** @param {Event} event */
  chosen({ target }) {
    if (!(target instanceof HTMLInputElement) || target.type !== 'file') return
    this.add([...(target.files ?? [])])
    target.value = ''
  }

  /** @param {Event} event */
  pasted(event) {
    const files = event instanceof ClipboardEvent ? [...(event.clipboardData?.files ?? [])] : []
    if (files.length === 0) return
    event.preventDefault()
    this.add(files)
  }

  /** @param {Event} event */
  dragged(event) {
    if (!(event instanceof DragEvent) || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    this.querySelector('.drop')?.toggleAttribute('data-over', event.type === 'dragover')
    if (event.type === 'drop') this.add([...event.dataTransfer.files])
  }

  /** @param {Event} event */
  clicked(event) {
    const { target } = event
    if (!(target instanceof Element)) return
    if (target.closest('[data-generate]') && isPlainClick(event)) {
      event.preventDefault()
      this.reportUnloaded(this.openGenerator())
    }
    if (target.closest('[data-add-images]')) inputIn(this, '[type="file"]')?.click()
    if (target.closest('[data-from-library]')) this.reportUnloaded(this.openLibrary())
    const tile = target.closest('li.attach')
    if (!(tile instanceof HTMLElement)) return
    if (target.closest('[data-take-out]')) this.takeOut(tile)
    if (target.closest('[data-crop]')) this.reportUnloaded(this.openCropper(tile))
    if (target.closest('[data-try-again]')) this.tryAgain(tile)
    const move = target.closest('[data-move]')
    if (move instanceof HTMLButtonElement) this.move(tile, Number(move.dataset.move), move)
  }

  /** @param {File[]} files */
  add(files) {
    for (const file of files) {
      const made = this.makeTile(file)
      if (!made) return
      this.querySelector('.media-grid')?.lastElementChild?.before(made)
      this.uploads.add(made, file)
    }
    this.changed()
  }

  /** @param {File} [file] */
  makeTile(file) {
    const template = this.querySelector('template')
    const made = template && document.importNode(template.content, true).querySelector('li')
    if (!made) return null
    made.dataset.name = file?.name ?? ''
    made.dataset.post = String(this.post)
    if (file) this.files.set(made, file)
    return made
  }

  /** What isn't stored is sent again. @param {HTMLElement} tile */
  tryAgain(tile) {
    const [file, id] = [this.files.get(tile), inputIn(tile, '[data-id]')?.value]
    const made = id ? this.makeStored(id, tile.dataset.name) : file && this.makeTile(file)
    if (!made) return
    const [from, to] = [inputIn(tile, '[data-alt]'), inputIn(made, '[data-alt]')]
    if (from && to) to.value = from.value
    made.dataset.post = tile.dataset.post
    tile.replaceWith(made)
    if (file && !id) this.uploads.add(made, file)
    this.changed()
    to?.focus()
  }

  /** @param {HTMLElement} tile */
  takeOut(tile) {
    const next = tile.nextElementSibling?.querySelector('[data-take-out], [type="file"]')
    tile.remove()
    this.changed()
    if (next instanceof HTMLElement) next.focus()
  }

  /**
   * @param {HTMLElement} tile
   * @param {number} by
   * @param {HTMLButtonElement} button
   */
  move(tile, by, button) {
    const other = this.tiles[this.tiles.indexOf(tile) + by]
    if (by < 0) other?.before(tile)
    else other?.after(tile)
    this.moved(tile)
    // A move button is disabled at the end of the list, so the other one gets the focus.
    const next = button.disabled ? tile.querySelector('[data-move]:enabled') : button
    if (next instanceof HTMLElement) next.focus()
  }

  changed() {
    const { tiles } = this
    void this.makeSortable().catch(() => (this.isSortable = false))
    tiles.forEach((tile, at) => label(tile, at, tiles.length))
    this.dispatchEvent(new Event('input', { bubbles: true }))
  }

  /** @param {number} post */
  removePost(post) {
    removePostOf(this.tiles, post)
    this.post = 0
    this.changed()
  }

  /**
   * Names the form's fields, and shows which of these networks don't accept an image.
   * @param {string[]} lists of each post of a thread, such as `thread[0].media`
   * @param {import('../lib/media-tile.js').Network[]} networks
   */
  draw(lists, networks) {
    for (const tile of this.tiles) drawPostChoice(tile, lists.length)
    const next = lists.map(() => 0)
    for (const tile of this.uploaded) {
      const post = postOf(tile)
      const at = next[post] ?? 0
      next[post] = at + 1
      inputIn(tile, '[data-id]')?.setAttribute('name', `${lists[post]}[${at}].mediaId`)
      inputIn(tile, '[data-alt]')?.setAttribute('name', `${lists[post]}[${at}].alt`)
      if (tile.dataset.status === 'failed' || tile.dataset.state === 'failed') continue
      const siblings = this.kept.filter((other) => postOf(other) === post)
      showError(tile, fileProblem(tile, { fits: this.fits.get(tile) ?? [], siblings, networks }))
    }
  }

  /** @param {string} words */
  say(words) {
    const news = this.querySelector('[data-news]')
    if (news) news.textContent = words
  }
}

customElements.define('media-picker', MediaPicker)
