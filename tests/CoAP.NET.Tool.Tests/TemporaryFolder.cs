namespace CoAP.Tool.Tests;

/// <summary>An empty folder that is deleted with its files at the end of a test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("coap-tool-").FullName;

    public string this[string file] => System.IO.Path.Combine(Path, file);

    public string Write(string file, string content)
    {
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(this[file])!);
        File.WriteAllText(this[file], content);
        return this[file];
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
