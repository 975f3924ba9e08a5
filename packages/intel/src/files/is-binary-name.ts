const BINARY = new Set(
  [
    '7z a ai apk avi avif bin blend bmp bz2 class cur db dds deb dex dll dmg doc docx dylib ear eot epub exe fbx flac',
    'gif glb gz heic ico icns idx iso jar jpeg jpg jks keystore ktx lib lz4 m4a m4v mkv mo mov mp3 mp4 mpeg mpg msi nib',
    'node o obj odp ods odt ogg onnx otf pack pdb pdf pickle pkl png ppt pptx psd pyc pyd pyo rar rlib rpm so sqlite',
    'sqlite3 swf tar tflite tgz tif tiff ttf war wasm wav webm webp woff woff2 xls xlsx xz zip zst',
  ].flatMap((line) => line.split(' ')),
);

/** Whether a file is well known to hold no text, by the ending of its name: it is not even opened. */
export function isBinaryName(path: string): boolean {
  const dot = path.lastIndexOf('.');
  return dot >= 0 && BINARY.has(path.slice(dot + 1).toLowerCase());
}
