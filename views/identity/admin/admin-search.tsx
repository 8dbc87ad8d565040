import type { Children } from '@kitajs/html'
import { Button } from '#views/ui/button.tsx'

interface AdminSearchProps {
  /** The path of the page; that of its operation has `/api` in front. */
  path: string
  /** What it searches, such as `Search people`. */
  label: string
  /** The field for text. */
  field: { name: string; label: string; value?: string; maxlength: number }
  /** The id of the list that it replaces. */
  list: string
  /** More filters. */
  children?: Children
}

/** Rows of a page of a list. */
export const adminPageSize = 50

/** Searches a list of super admins: a form that any browser can send, and that sends itself where htmx runs. */
export const AdminSearch = ({ path, label, field, list, children }: AdminSearchProps) => (
  <form
    class="filters"
    role="search"
    aria-label={label}
    action={path}
    hx-get={`/api${path}`}
    hx-vals={JSON.stringify({ limit: adminPageSize })}
    hx-target={`#${list}`}
    hx-swap="outerMorph"
    hx-push-url="true"
    hx-sync="this:replace"
    hx-trigger="input delay:300ms, submit"
  >
    <input
      class="input"
      type="search"
      name={field.name}
      aria-label={field.label}
      placeholder={field.label}
      value={field.value ?? ''}
      maxlength={field.maxlength}
      autocomplete="off"
    />
    {children}
    <noscript>
      <Button label="Search" type="submit" />
    </noscript>
  </form>
)
