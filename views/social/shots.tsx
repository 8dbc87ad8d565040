interface Shot {
  src: string
  alt: string
}

/** The images of a post as a network shows them: one large, several in a grid. */
export const Shots = ({ images }: { images: readonly Shot[] }) =>
  images.length > 0 ? (
    <div class="shots" data-count={String(Math.min(images.length, 4))}>
      {images.map(({ src, alt }) => (
        <img src={src} alt={alt} loading="lazy" />
      ))}
    </div>
  ) : (
    <></>
  )
