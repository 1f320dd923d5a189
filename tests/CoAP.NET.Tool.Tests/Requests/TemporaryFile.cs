namespace CoAP.Tool.Tests.Requests;

/// <summary>A file that is deleted after the test.</summary>
internal sealed class TemporaryFile : IDisposable
{
    public TemporaryFile(string extension, byte[] content)
    {
        Path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), System.IO.Path.GetRandomFileName() + extension);
        File.WriteAllBytes(Path, content);
    }

    public string Path { get; }

    public void Dispose() => File.Delete(Path);
}
