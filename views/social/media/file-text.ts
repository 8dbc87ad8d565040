import type { ListedMedia, Media } from '#social/types'
import { counted } from '#lib/text.ts'
import { networkNames } from '../posts/post-text.ts'

/** Such as `412 MB`. */
export function sizeText(bytes: number): string {
  const units = ['KB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 1), units.length)
  const amount = bytes / 1000 ** power
  return `${amount.toLocaleString('en', { maximumFractionDigits: amount < 10 ? 1 : 0 })} ${units[power - 1]}`
}

/** Such as `0:58` or `1:02:03`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

export const nameOf = ({ name, kind }: Pick<Media, 'name' | 'kind'>): string => name || untitled[kind]

const untitled: Record<Media['kind'], string> = {
  image: 'Untitled image',
  video: 'Untitled video',
  document: 'Untitled document',
}

/** Such as `2,400 × 1,800, 1.8 MB JPEG`. */
export function factsText({ width, height, bytes, contentType, pages }: Media): string {
  const type = (contentType.split('/')[1] ?? '').toUpperCase()
  const size = width !== null && height !== null ? `${format(width)} × ${format(height)}` : null
  return [size, pages === null ? null : counted(pages, 'page'), `${sizeText(bytes)} ${type}`].filter(Boolean).join(', ')
}

const format = (pixels: number): string => pixels.toLocaleString('en')

export const useText = (usedIn: number): string => (usedIn === 0 ? 'Not used' : `Used in ${countedUses(usedIn)}`)

const maxUses = 1_000

export const countedUses = (usedIn: number): string =>
  usedIn >= maxUses ? `${maxUses.toLocaleString('en')}+ posts` : counted(usedIn, 'post')

interface FileNote {
  text: string
  tone?: 'warning' | 'danger'
}

/** What a person should know first about a file. */
export function noteOf({ status, alt, kind, unfit, usedIn }: ListedMedia): FileNote {
  if (status === 'failed') return { text: 'No preview, file is damaged', tone: 'danger' }
  if (status === 'processing') return { text: 'Processing' }
  if (alt === '' && kind === 'image') return { text: 'No alt text', tone: 'warning' }
  const [network, ...others] = unfit
  if (network && usedIn === 0)
    return {
      text:
        others.length > 0 ? `Doesn’t fit ${counted(unfit.length, 'network')}` : `Doesn’t fit ${networkNames[network]}`,
      tone: 'warning',
    }
  return { text: useText(usedIn) }
}
