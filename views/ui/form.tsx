import type { Children } from '@kitajs/html'

type FormProps = { children: Children } & Omit<JSX.HtmlFormTag, 'children'>

/**
 * A form that htmx sends once at a time. Before htmx is there, `early-input.js` holds it. When scripts fail to load, the
 * browser sends it, in a body too: what was typed never stands in an address. A refusal is shown at its top, where `form-problem` marks the
 * fields it names; success is what `hx-target` and `hx-swap` say, or the server's redirect.
 */
export const Form = ({ children, ...attributes }: FormProps) => (
  <form
    method={attributes['hx-get'] ? 'get' : 'post'}
    action={attributes['hx-post']}
    hx-sync="this:drop"
    hx-swap="none"
    {...refused}
    {...attributes}
  >
    <div class="form-problem" />
    {children}
  </form>
)

const refused = {
  'hx-status:4xx': "target:'find .form-problem' swap:innerHTML",
  'hx-status:5xx': "target:'find .form-problem' swap:innerHTML",
}
