/** Formats a request as a curl command. The path of an acting user in the console stands for that of the user in the API. */
export function curl(method: string, path: string, body?: unknown): string {
  const apiPath = path.replace(/^\/c\/([^/]+)\/as\/([^/]+)/, '/companies/$1/users/$2')
  const command = `curl -X ${method} ${location.origin}/api/v1${apiPath} -H "X-API-KEY: $KEY"`
  return body === undefined ? command : `${command} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
}
