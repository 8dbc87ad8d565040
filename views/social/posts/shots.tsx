import type { Media, Post, Rendition } from '#social/types'

export interface Shot {
  src: string
  alt: string
}

export const fileHref = (mediaId: string, rendition: Rendition): string => `/api/media/${mediaId}/file/${rendition}`

export const shotsOf = ({ media }: Pick<Post, 'media'>): Shot[] =>
  media.map(({ mediaId, alt }) => ({ src: fileHref(mediaId, 'preview'), alt }))

export const shotsOfMedia = (media: readonly Media[]): Shot[] =>
  media.map(({ id, alt }) => ({ src: fileHref(id, 'preview'), alt }))

export const Shots = ({ images }: { images: readonly Shot[] }) => (
  <div class="shots" hidden={images.length === 0}>
    {images.map(({ src, alt }) => (
      <img src={src} alt={alt} loading="lazy" />
    ))}
  </div>
)
