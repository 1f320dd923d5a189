namespace CoAP;

/// <summary>Selects what happens to an item if the bounded buffer in front of a user's block is full, or if the block has failed.</summary>
public enum OverflowRule
{
    /// <summary>The item skips the block and goes to the next stage. It is counted.</summary>
    Bypass,

    /// <summary>The item is dropped and counted. Peers retransmit their confirmable datagrams.</summary>
    Drop,
}
