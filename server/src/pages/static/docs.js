// Shows the address of this service in samples, and adds a button to copy them. The pages work without it.
const LOCAL = 'http://127.0.0.1:8080'

for (const block of document.querySelectorAll('.code')) {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.includes(LOCAL)) node.data = node.data.replaceAll(LOCAL, location.origin)
  }
  if (block.dataset.language !== 'sh' || !navigator.clipboard) continue
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  block.append(button)
}
