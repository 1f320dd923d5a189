using CoAP.Discovery;
using CoAP.Options;

namespace CoAP.Tool.Serving;

/// <summary>
/// A list that is read from the disk. Anyone can ask for it with one small datagram, so it is kept for a second, or for ten times as long
/// as it took: at most a tenth of one processor works on it.
/// </summary>
/// <remarks>Safe for concurrent use.</remarks>
/// <param name="read">Reads the links.</param>
/// <param name="state">Returns a value; when it changes, the list is read again at once. <see langword="null"/> if there is none.</param>
/// <param name="time">The clock.</param>
internal sealed class KeptList(Func<IReadOnlyList<WebLink>> read, Func<ETag?>? state, TimeProvider time)
{
    private const int CostFactor = 10;

    private static readonly TimeSpan LeastAge = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private LinkList? _list;
    private ETag? _state;
    private long _readAt;
    private TimeSpan _age;

    /// <summary>The number of links; 0 before the first reading.</summary>
    public int Count => Volatile.Read(ref _list)?.Links.Count ?? 0;

    /// <summary>
    /// Returns the list, which may be a second old. A call that arrives while the list is read waits for it, instead of reading another.
    /// </summary>
    public LinkList Get()
    {
        lock (_gate)
        {
            var now = time.GetTimestamp();
            var found = state?.Invoke();
            if (_list is not null && _state == found && time.GetElapsedTime(_readAt, now) < _age) { return _list; }
            var list = new LinkList(read());
            (_list, _state, _readAt) = (list, found, time.GetTimestamp());
            var took = time.GetElapsedTime(now, _readAt) * CostFactor;
            _age = took > LeastAge ? took : LeastAge;
            return list;
        }
    }
}
