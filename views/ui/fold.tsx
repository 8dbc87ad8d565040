import type { Children } from '@kitajs/html'
import { Icon } from './icon.tsx'

interface FoldProps {
  /** What stays visible: text, or a `<time>` beside it. */
  summary: Children
  open?: boolean
  children: Children
}

/** Details that open at a click. */
export const Fold = ({ summary, open, children }: FoldProps) => (
  <details class="fold" open={open}>
    <summary>
      <Icon name="chevron-right" />
      <span>{summary}</span>
    </summary>
    {children}
  </details>
)
