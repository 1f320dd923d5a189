namespace CoAP.Hosting;

/// <summary>Returns the clients that were added with a name. The host disposes of them.</summary>
/// <remarks>Safe for concurrent use. Each name has one client, which all callers share.</remarks>
public interface ICoapClientFactory
{
    /// <summary>Returns the client with this name.</summary>
    /// <param name="name">The name, or "" for the client without a name.</param>
    /// <exception cref="ArgumentException">No client has this name.</exception>
    CoapClient Get(string name);

    /// <summary>Returns the client with this name, as a sender that a test can replace.</summary>
    /// <inheritdoc cref="Get" path="/param|/exception"/>
    IRequestSender GetSender(string name);
}
