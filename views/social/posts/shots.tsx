import type { Media, Post, Rendition } from '#social/types'
import { Icon } from '#views/ui/icon.tsx'

export interface Shot {
  /** Of the image, or of the poster of a video. */
  src: string
  alt: string
  /** Of a video that is played here. */
  video?: string | undefined
}

export const fileHref = (mediaId: string, rendition: Rendition): string => `/api/media/${mediaId}/file/${rendition}`

/** With the hash of the copy, so that browsers keep it and get another one once it was drawn again. */
export function copyHref({ id, renditions }: Pick<Media, 'id' | 'renditions'>, rendition: Rendition): string {
  const sha256 = renditions[rendition]?.sha256
  return fileHref(id, rendition) + (sha256 ? `?sha256=${sha256}` : '')
}

export const shotsOf = ({ media }: Pick<Post, 'media'>): Shot[] =>
  media.map(({ mediaId, alt }) => ({ src: fileHref(mediaId, 'preview'), alt }))

export const shotsOfMedia = (media: readonly Media[]): Shot[] =>
  media.map((file) => ({ src: copyHref(file, 'preview'), alt: file.alt }))

export const Shots = ({ images }: { images: readonly Shot[] }) => (
  <div class="shots" hidden={images.length === 0}>
    {images.map((shot) => (
      <ShotView {...shot} />
    ))}
  </div>
)

const ShotView = ({ src, alt, video }: Shot) =>
  video ? (
    <video controls poster={src} src={video} aria-label={alt || 'Video'} />
  ) : (
    <image-preview>
      <img src={src} alt={alt} loading="lazy" />
      <span class="pic" hidden>
        <Icon name="file-text" />
        <span safe>{alt || 'No preview'}</span>
      </span>
    </image-preview>
  )
