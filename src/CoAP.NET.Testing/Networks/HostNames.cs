using System.Net.Sockets;

namespace CoAP.Testing;

/// <summary>The names of the hosts on a network, and the names in calls such as <see cref="SimulatedNetwork.Partition"/>, which must be among them.</summary>
internal sealed class HostNames(InMemoryNetwork network)
{
    private readonly Lock _gate = new();
    private readonly SortedSet<string> _known = new(StringComparer.Ordinal);
    private readonly List<(string Call, string Name)> _used = [];

    /// <summary>Adds the name of an endpoint, which may open later.</summary>
    public void Add(string name)
    {
        lock (_gate) { _known.Add(name); }
    }

    /// <summary>Remembers the names in a call. Endpoints with these names may still come.</summary>
    public void Use(string call, params ReadOnlySpan<string> names)
    {
        lock (_gate)
        {
            foreach (var name in names)
            {
                ArgumentException.ThrowIfNullOrEmpty(name);
                _used.Add((call, name));
            }
        }
    }

    /// <summary>Checks the names that are not yet checked.</summary>
    /// <exception cref="InvalidOperationException">A name does not belong to an endpoint.</exception>
    public void Check()
    {
        lock (_gate)
        {
            if (_used.Count == 0) { return; }
            var (call, name) = _used.Find(one => !_known.Contains(one.Name) && !IsOpen(one.Name));
            _used.Clear();      // each mistake is reported once, not also by the disposal of the endpoints
            if (name is null) { return; }
            var names = _known.Count == 0 ? "There are no endpoints yet." : $"The names are {string.Join(", ", _known.Select(static known => $"'{known}'"))}.";
            throw new InvalidOperationException(
                $"{call} was called with '{name}', but no endpoint has this name. {names} Correct the name, or place the endpoint before you run the network.");
        }
    }

    // Endpoints may open on the network itself, which then refuses a second one with the same name.
    private bool IsOpen(string name)
    {
        try { network.Open(name, static _ => { }).Dispose(); }
        catch (SocketException) { return true; }
        return false;
    }
}
