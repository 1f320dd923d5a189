using System.Runtime.InteropServices;
using CoAP.Transports;

namespace CoAP.Exchanges;

/// <summary>Creates random tokens of eight bytes, so that an off-path attacker cannot guess one (RFC 7252, section 5.3.1).</summary>
/// <param name="scheduler">Makes the random numbers; <see langword="null"/> if the system does.</param>
internal sealed class TokenSource(NetworkScheduler? scheduler = null)
{
    private const int StockSize = 128;

    private ulong[] _stock = [];
    private int _left;

    public Token Next()
    {
        if (_left == 0)
        {
            if (_stock.Length == 0) { _stock = new ulong[StockSize]; }
            scheduler.FillRandom(MemoryMarshal.AsBytes(_stock.AsSpan()));
            _left = _stock.Length;
        }
        return new Token(_stock[--_left], Token.InlineLength);
    }
}
