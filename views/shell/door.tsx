import { Document } from './document.tsx'

/** The frame of signing in and up: one card, nothing beside it. */
export const Door = ({ title, content }: { title: string; content: JSX.Element }) => (
  <Document title={title} screen="identity" class="door">
    <main>{content}</main>
  </Document>
)
