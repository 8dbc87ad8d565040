import { ButtonLink } from './button.tsx'

type PagerProps = {
  /** What is paged: `More posts`. */
  label: string
  /** `Showing 20 of 128`. */
  summary: string
  /** The address of the next page; without it there is none. */
  next?: string
} & Omit<JSX.HtmlAnchorTag, 'children' | 'href'>

/** The foot of a list that has more; htmx's attributes go to its link. */
export const Pager = ({ label, summary, next, ...attributes }: PagerProps) => (
  <nav class="pager" aria-label={label}>
    <span safe>{summary}</span>
    {next ? <ButtonLink label="Load more" size="sm" href={next} rel="next" {...attributes} /> : null}
  </nav>
)
