// A reporter of node's test runner: the path of the file of each test that fails, one a line.
export default async function* failedFiles(events) {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.file) yield `${data.file}\n`;
  }
}
