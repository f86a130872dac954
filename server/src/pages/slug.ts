/** The anchor of a heading, as GitHub makes it, so that the same links work in the repository and here. */
export const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Makes the anchors of one page: a repeated one gets a number. */
export function slugs(): (heading: string) => string {
  const used = new Map<string, number>()
  return (heading) => {
    const slug = slugOf(heading)
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}
