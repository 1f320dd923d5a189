namespace CoAP.Tool.Tests.LoadEngine;

/// <summary>Hand-written datagrams.</summary>
internal static class Messages
{
    public const int Confirmable = 0, NonConfirmable = 1, Acknowledgement = 2, Reset = 3;
    public const byte Content = 0x45, NotFound = 0x84;

    public static byte[] Datagram(int type, byte code, int id, params byte[] token) =>
        [(byte)(0x40 | (type << 4) | token.Length), code, (byte)(id >> 8), (byte)id, .. token];
}
