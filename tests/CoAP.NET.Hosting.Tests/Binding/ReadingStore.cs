namespace CoAP.Hosting.Tests.Binding;

internal interface IReadingStore
{
    string Name { get; }
}

/// <summary>A service that tells its own identity, and whether its scope has ended.</summary>
internal sealed class ReadingStore : IReadingStore, IDisposable
{
    public string Name { get; init; } = Guid.NewGuid().ToString();

    public bool IsDisposed { get; private set; }

    public void Dispose() => IsDisposed = true;
}
