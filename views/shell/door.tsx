import { Document } from './document.tsx'
import type { Theme } from './theme-choice.tsx'

/** The frame of signing in and up: one card, nothing beside it. */
export const Door = ({ title, content, theme }: { title: string; content: JSX.Element; theme: Theme }) => (
  <Document title={title} screen="identity" class="door" theme={theme}>
    <main>{content}</main>
  </Document>
)
