using System.Runtime.InteropServices;
using CoAP.Runtimes;

namespace CoAP.Exchanges;

/// <summary>Creates random tokens of eight bytes, so that an off-path attacker cannot guess one (RFC 7252, section 5.3.1).</summary>
/// <param name="runtime">Makes the random numbers.</param>
internal sealed class TokenSource(EndpointRuntime runtime)
{
    private const int StockSize = 128;

    private ulong[] _stock = [];
    private int _left;

    public Token Next()
    {
        if (_left == 0)
        {
            if (_stock.Length == 0) { _stock = new ulong[StockSize]; }
            runtime.FillRandom(MemoryMarshal.AsBytes(_stock.AsSpan()));
            _left = _stock.Length;
        }
        return new Token(_stock[--_left], Token.InlineLength);
    }
}
