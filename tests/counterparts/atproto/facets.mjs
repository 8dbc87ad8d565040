import { RichText } from '@atproto/api'

// What Bluesky's own library finds in a text: prints the marked bytes and their features, mentions by handle.

const text = new RichText({ text: process.argv[2] })
text.detectFacetsWithoutResolution()
console.log(JSON.stringify((text.facets ?? []).map(({ index, features }) => ({ index, features }))))
