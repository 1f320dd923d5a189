using CoAP.Blockwise;

namespace CoAP.Handlers;

/// <summary>The bodies that come and go on one connection: nobody can ask for them when it has ended.</summary>
internal sealed class ConnectionBodies(LaneBodies bodies) : IDisposable
{
    private readonly HashSet<BodyKey> _keys = [];
    private int _tidyAt = 16;

    public void Add(in BodyKey key)
    {
        _keys.Add(key);
        if (_keys.Count < _tidyAt) { return; }
        _keys.RemoveWhere(known => !bodies.Contains(known));
        _tidyAt = Math.Max(16, 2 * _keys.Count);
    }

    public void Dispose()
    {
        foreach (var key in _keys) { bodies.Forget(key); }
        _keys.Clear();
    }
}
