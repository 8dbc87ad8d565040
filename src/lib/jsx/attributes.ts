// The attributes of htmx 4 for the compiler. Attributes that aren't valid JSX names (`hx-status:4xx`) are spread.

type Swap =
  | 'innerHTML'
  | 'outerHTML'
  | 'innerMorph'
  | 'outerMorph'
  | 'beforebegin'
  | 'afterbegin'
  | 'beforeend'
  | 'afterend'
  | 'delete'
  | 'none'

interface HtmxAttributes {
  'hx-get'?: string
  'hx-post'?: string
  'hx-put'?: string
  'hx-patch'?: string
  'hx-delete'?: string
  'hx-target'?: string
  'hx-swap'?: Swap | `${Swap} ${string}`
  'hx-select'?: string
  'hx-trigger'?: string
  'hx-include'?: string
  'hx-vals'?: string
  'hx-confirm'?: string
  'hx-disable'?: string
  'hx-indicator'?: string
  'hx-sync'?: string
  'hx-push-url'?: string
  'hx-replace-url'?: string
}

declare global {
  namespace JSX {
    interface HtmlTag extends HtmxAttributes {}
    interface HtmlMetaTag {
      media?: string
    }
    interface IntrinsicElements {
      [element: `${string}-${string}`]: HtmlTag
    }
  }
}
