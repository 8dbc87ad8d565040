import { graphError, missingObject } from '../graph/errors.ts'
import type { Photo, Post, Video } from './posts.ts'

interface Options {
  nextId: () => string
  now: () => number
  /** Status requests until a video is ready. */
  processing: number
  refusesDuplicates: boolean
}

/** What Pages and Groups published, and the photos and videos of it. */
export class Board {
  readonly posts: Post[] = []
  readonly #photos = new Map<string, Photo>()
  readonly #videos = new Map<string, Video>()
  readonly #options: Options
  /** How many of the next videos fail in processing. */
  breaks = 0

  constructor(options: Options) {
    this.#options = options
  }

  publish(owner: string, post: Partial<Post> & { message: string }, id = this.#options.nextId()): Post {
    const { refusesDuplicates, now } = this.#options
    const isRepeated = this.posts.some((each) => each.owner === owner && each.message === post.message)
    if (refusesDuplicates && post.message && isRepeated)
      throw graphError({
        code: 506,
        message: '(#506) Duplicate status message',
        title: 'Duplicate Status Update',
        explanation: 'This status update is identical to the last one you posted.',
      })
    const createdAt = new Date(now()).toISOString()
    const made = { link: null, photos: [], video: null, comments: [], ...post, id: `${owner}_${id}`, owner, createdAt }
    this.posts.push(made)
    return made
  }

  addPhoto(owner: string, { alt, bytes, isUsed }: Omit<Photo, 'id' | 'owner'>): Post['photos'][number] {
    const id = this.#options.nextId()
    this.#photos.set(id, { id, owner, alt, bytes, isUsed })
    return { id, alt, bytes }
  }

  /** Takes unpublished photos of the owner into a post, once each. */
  attach(owner: string, ids: string[]): Post['photos'] {
    const found = ids.flatMap((id) => this.#photos.get(id) ?? [])
    if (found.length < ids.length || found.some((photo) => photo.owner !== owner || photo.isUsed))
      throw graphError({ code: 100, subcode: 1_366_051, message: '(#100) Invalid media_fbid' })
    for (const photo of found) photo.isUsed = true
    return found.map(({ id, alt, bytes }) => ({ id, alt, bytes }))
  }

  /** Publishes a video, unless it is to fail. Returns its id. */
  addVideo(
    owner: string,
    { title, description, bytes }: { title: string; description: string; bytes: number },
  ): string {
    const id = this.#options.nextId()
    const isBroken = this.breaks > 0
    if (isBroken) this.breaks -= 1
    else this.publish(owner, { message: description, video: { id, title, bytes } }, id)
    this.#videos.set(id, { id, owner, busy: this.#options.processing, isBroken })
    return id
  }

  video(id: string): Video | undefined {
    return this.#videos.get(id)
  }

  /** @throws for an unknown one. */
  post(id: string): Post {
    const post = this.posts.find((each) => each.id === id)
    if (!post) throw missingObject(id)
    return post
  }

  remove(post: Post): void {
    this.posts.splice(this.posts.indexOf(post), 1)
  }
}
