using System.Net.Sockets;

namespace CoAP.Load;

/// <summary>Readiness as every system tells it; the cost grows with the number of sockets.</summary>
internal sealed class SelectReadiness : IReadiness
{
    private readonly Dictionary<Socket, int> _numbers = [];
    private readonly HashSet<Socket> _writing = [];
    private readonly List<Socket> _readable = [];
    private readonly List<Socket> _writable = [];

    public void Add(Socket socket, int number) => _numbers.Add(socket, number);

    public void WatchWrites(Socket socket, int number, bool isWanted)
    {
        if (isWanted) { _writing.Add(socket); }
        else { _writing.Remove(socket); }
    }

    public void Remove(Socket socket, int number)
    {
        _numbers.Remove(socket);
        _writing.Remove(socket);
    }

    public int Wait(long nanoseconds)
    {
        _readable.Clear();
        _writable.Clear();
        if (_numbers.Count == 0) { return 0; }
        _readable.AddRange(_numbers.Keys);
        _writable.AddRange(_writing);
        Socket.Select(_readable, _writable, null, (int)(nanoseconds / 1000));
        return _readable.Count + _writable.Count;
    }

    public int NumberAt(int index) => _numbers.GetValueOrDefault(IsReadable(index) ? _readable[index] : _writable[index - _readable.Count], -1);

    public bool IsReadable(int index) => index < _readable.Count;

    public bool IsWritable(int index) => !IsReadable(index);

    public void Dispose() => _numbers.Clear();
}
