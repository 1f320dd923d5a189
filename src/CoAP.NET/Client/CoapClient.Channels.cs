namespace CoAP;

/// <content>Channels that are no URI's.</content>
public sealed partial class CoapClient
{
    /// <summary>A channel to a server on the same machine over its local socket; shared by all who ask for the same path.</summary>
    /// <param name="path">The file of the socket.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="CoapTransportException">Nobody listens there.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public ValueTask<IChannel> OpenUnixAsync(string path, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Mesh.OpenUnixAsync(path, cancellationToken);
    }

    /// <summary>The same, blocking the calling thread.</summary>
    /// <inheritdoc cref="OpenUnixAsync" path="/param|/exception"/>
    public IChannel OpenUnix(string path, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Mesh.OpenUnix(path, cancellationToken);
    }
}
